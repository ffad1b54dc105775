//! The registry of rules: one file a rule, whose text is the user's documentation.

use crate::finding::Severity;

/// A kind of fault with a stable code.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, `PA101`.
    pub code: &'static str,
    /// Stable name in kebab case, `illegal-move`.
    pub name: &'static str,
    /// Usual severity.
    pub severity: Severity,
    /// What it finds, one sentence.
    pub what: &'static str,
    /// Why that matters.
    pub why: &'static str,
    /// A score with the fault.
    pub before: &'static str,
    /// The same score mended.
    pub after: &'static str,
}
