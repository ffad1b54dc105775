//! Where an engine's program is, and who it says it is.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use super::{
    EngineError, Evaluator, Identity,
    client::{Launch, UciEngine},
};

/// The engine that is meant where none is named.
pub const DEFAULT: &str = "gnuchess";

/// Folders where Debian keeps games; often not on PATH.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Its file name without folders.
    pub name: String,
    /// The file.
    pub program: PathBuf,
    /// What makes it speak UCI.
    pub args: Vec<String>,
}

impl Located {
    /// The usual launch of it.
    pub fn launch(&self, interrupt: Arc<AtomicBool>) -> Launch {
        Launch::new(&self.name, self.program.clone(), self.args.clone(), interrupt)
    }
}

/// Finds an engine by path (anything with a `/` in it) or by name: on PATH, then where Debian keeps games.
///
/// # Errors
/// [`EngineError::NotFound`] with where it was looked for.
pub fn locate(name_or_path: &str) -> Result<Located, EngineError> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain(GAMES.map(PathBuf::from)).collect();
    locate_in(name_or_path, &folders)
}

/// [`locate`] with the folders given.
///
/// # Errors
/// [`EngineError::NotFound`] with where it was looked for.
pub fn locate_in(name_or_path: &str, folders: &[PathBuf]) -> Result<Located, EngineError> {
    let not_found = |searched: &str| EngineError::NotFound {
        name: name_or_path.to_owned(),
        searched: searched.to_owned(),
    };
    let program = if name_or_path.contains('/') {
        let path = PathBuf::from(name_or_path);
        match fs::metadata(&path) {
            Err(_) => return Err(not_found("there is no such file")),
            Ok(meta) if meta.is_dir() => return Err(not_found("it is a folder")),
            Ok(_) if !is_program(&path) => return Err(not_found("the file is not executable")),
            Ok(_) => path,
        }
    } else {
        folders
            .iter()
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name_or_path))
            .find(|path| !name_or_path.is_empty() && is_program(path))
            .ok_or_else(|| not_found("looked on PATH and in /usr/games"))?
    };
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // GNU Chess speaks UCI only when told to.
    let args = if name.starts_with("gnuchess") { vec!["--uci".to_owned()] } else { Vec::new() };
    Ok(Located { name, program, args })
}

/// Starts the engine, asks who it is, and ends it.
///
/// # Errors
/// Where it is no UCI engine or does not answer.
pub fn probe(located: &Located) -> Result<Identity, EngineError> {
    let engine = UciEngine::start(located.launch(Arc::default()))?;
    Ok(engine.identity().clone())
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, name: &str, mode: u32) {
        let path = folder.join(name);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_first_executable_of_that_name_is_found() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        program(one.path(), "gnuchess", 0o644);
        program(two.path(), "gnuchess", 0o755);
        let folders = [PathBuf::from("relative"), one.path().to_owned(), two.path().to_owned()];
        let found = locate_in("gnuchess", &folders).unwrap();
        assert_eq!(found.program, two.path().join("gnuchess"));
        assert_eq!(found.args, ["--uci"]);
        program(two.path(), "other", 0o755);
        assert_eq!(locate_in("other", &folders).unwrap().args, [""; 0]);
    }

    #[test]
    fn what_is_no_program_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        program(folder.path(), "notes.txt", 0o644);
        let reason = |name: &str| locate_in(name, &[]).unwrap_err().to_string();
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert!(reason(&at("notes.txt")).contains("not executable"));
        assert!(reason(&at("nothing")).contains("no such file"));
        assert!(reason(&at("")).contains("folder"));
        assert_eq!(reason("gnuchess"), "no engine \"gnuchess\" found (looked on PATH and in /usr/games)");
        assert!(locate_in("", &[folder.path().to_owned()]).is_err());
    }
}
