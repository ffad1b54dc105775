//! Commands for children that die with us, even where we are killed outright and can end nothing any more.

use std::{ffi::OsStr, path::Path, process::Command};

/// A command for `program` that the kernel kills when the thread that starts it has ended.
///
/// It goes by way of `setpriv` (util-linux), which becomes the program; where the system has none the child is not
/// bound. A `program` that cannot be run is a child that ends at once with status 127, not a failure to start.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].into_iter().map(Path::new).find(|p| p.is_file());
    match setpriv {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            command.args(["--pdeathsig", "KILL", "--"]).arg(program);
            command
        }
        None => Command::new(program),
    }
}
