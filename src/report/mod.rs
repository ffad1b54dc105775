//! One serialisable model of an audit, and one small pure writer a file; knows not how things were found.
