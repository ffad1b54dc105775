//! Errors as one sentence each: what could not be done, why, and what helps.

use std::io::{self, ErrorKind};

/// A chain of causes, outermost first; what one cause repeats of those before it is said once.
pub fn of_error(error: &anyhow::Error) -> String {
    let mut said = String::new();
    let mut cure = None;
    for cause in error.chain() {
        let text = plain(&cause.to_string());
        if !said.contains(&text) {
            if !said.is_empty() {
                said.push_str(": ");
            }
            said.push_str(&text);
        }
        cure = cure.or(cause.downcast_ref::<io::Error>().and_then(|e| helps(e.kind())));
    }
    with(said, cure)
}

/// What the system says of `what`.
pub fn of_io(what: &str, error: &io::Error) -> String {
    with(format!("{what}: {}", plain(&error.to_string())), helps(error.kind()))
}

fn with(said: String, cure: Option<&str>) -> String {
    match cure {
        Some(cure) => format!("{said}; {cure}"),
        None => said,
    }
}

/// The text without the system's number of the error and without the random name of a file that was to be made.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for (begin, end) in [(" (os error ", ")"), (" at path \"", "\"")] {
        if let Some(from) = text.find(begin) {
            let inside = from + begin.len();
            if let Some(length) = text[inside..].find(end) {
                text.replace_range(from..inside + length + end.len(), "");
            }
        }
    }
    text
}

fn helps(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "check the name",
        ErrorKind::PermissionDenied => "check its permissions",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room and run it again",
        ErrorKind::FileTooLarge => "raise the limit on the size of files (ulimit -f)",
        ErrorKind::ReadOnlyFilesystem => "choose a place that can be written to",
        ErrorKind::UnexpectedEof => "it is cut short: fetch it anew",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::FolderError;
    use anyhow::Context as _;

    #[test]
    fn what_the_system_says_is_said_once_and_with_a_cure() {
        let system = || io::Error::from_raw_os_error(2);
        let folder = FolderError::Io { path: "out/x".into(), source: system() };
        let want = "cannot write out/x: No such file or directory; check the name";
        assert_eq!(of_error(&anyhow::Error::new(folder)), want);
        let chain = Err::<(), _>(system()).context("cannot write out/x").expect_err("it is an error");
        assert_eq!(of_error(&chain), want);
        assert_eq!(of_io("cannot write out/x", &system()), want);
    }

    #[test]
    fn the_name_of_a_file_to_be_made_is_nobody_s_concern() {
        let text = "Permission denied (os error 13) at path \"/x/.pgn-audit-a1\"";
        assert_eq!(plain(text), "Permission denied");
        assert_eq!(plain("no engine"), "no engine");
    }
}
