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
