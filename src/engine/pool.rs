//! Many positions over few engines; knows nothing of reports.
