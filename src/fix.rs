//! A repair and the findings as changes of text: what to splice into the input, and nothing else.
