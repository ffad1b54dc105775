//! Every command of the README does what it says.

use std::{fs, path::Path};

use super::run::World;

fn commands() -> Vec<String> {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|b| b.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn every_command_runs() {
    let world = World::new();
    let mut ran = 0;
    for line in commands() {
        // The set-up before the program's own arguments is what `.ci/run` does.
        let own = line.rsplit("&& ").next().unwrap();
        let args =
            match own.strip_prefix("pgn-audit ").or_else(|| own.split_once(" -- ").map(|(_, args)| args)) {
                Some(args) => args,
                None => {
                    assert_eq!(own, "cargo test --profile fast", "a command that no test runs: {line}");
                    continue;
                }
            };
        let output = world.run(args);
        let status = output.status.code();
        assert_eq!(status, Some(0), "pgn-audit {args}: {}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    assert!(ran >= 15, "{ran} commands");
    for name in ["results/report.json", "match/002/fixed.pgn", "second/fixed.pgn", "repaired.pgn"] {
        assert!(world.path(name).is_file(), "{name}");
    }
}

#[test]
fn the_quick_start_is_two_commands() {
    let set_up: Vec<String> = commands().into_iter().filter(|c| c.contains("apt-get")).collect();
    assert_eq!(set_up.len(), 2);
    let ci = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(ci.contains("cargo test --locked --profile fast"), "CI runs the README's test command");
}
