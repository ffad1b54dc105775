//! Boards, captions and charts as pixels, and XBoard under its own X server; judges nothing.
