//! The crates depend on one another only downwards.
//!
//! Each crate has a layer; an edge may only lead to a strictly lower one. Edges of `[dev-dependencies]` and
//! `[build-dependencies]` count like any other. What each crate must not know is written in docs/architecture.md.

use cargo_metadata::MetadataCommand;

/// The layer of every crate there may be in the workspace; the same table as in docs/architecture.md.
const LAYERS: &[(u8, &[&str])] = &[
    (0, &["tilt-std", "tilt-backend-ptx", "mlir-c-shared"]),
    (1, &["tilt-ir", "tilt-device"]),
    (2, &["tilt-frontend", "tilt-interp", "tilt-backend-llvm", "ptx-emulator", "tilt-exec"]),
    (3, &["tilt", "tally"]),
    (4, &["tiltc", "tilt-tests", "tilt-bench"]),
];

fn layer(name: &str) -> Option<u8> {
    let (layer, _) = LAYERS.iter().find(|(_, names)| names.contains(&name))?;
    Some(*layer)
}

/// A crate of the workspace and those of its dependencies that lie in this repository.
struct Crate {
    name: String,
    uses: Vec<String>,
}

/// One sentence for each crate without a layer and each edge that does not lead downwards.
fn violations(crates: &[Crate]) -> Vec<String> {
    let mut found = Vec::new();
    for Crate { name, uses } in crates {
        let Some(from) = layer(name) else {
            found.push(format!("`{name}` has no layer"));
            continue;
        };
        for used in uses {
            match layer(used) {
                None => found.push(format!("`{name}` (layer {from}) uses `{used}`, which has no layer")),
                Some(to) if to >= from => {
                    found.push(format!("`{name}` (layer {from}) uses `{used}` (layer {to})"));
                }
                Some(_) => {}
            }
        }
    }
    found
}

#[test]
fn crates_depend_only_downwards() {
    let metadata = MetadataCommand::new()
        .manifest_path(tilt_tests::root().join("Cargo.toml"))
        .no_deps() // the manifests say all there is to know about edges between our own crates
        .exec()
        .expect("cargo metadata");
    let crates: Vec<Crate> = metadata
        .packages
        .iter()
        .map(|package| Crate {
            name: package.name.to_string(),
            uses: package
                .dependencies
                .iter()
                .filter(|dependency| dependency.path.is_some())
                .map(|dependency| dependency.name.clone())
                .collect(),
        })
        .collect();

    assert!(crates.len() > 5, "the workspace has more crates than these {}", crates.len());
    assert_eq!(violations(&crates), [""; 0]);
}

fn made_up(name: &str, uses: &[&str]) -> Crate {
    Crate { name: name.into(), uses: uses.iter().map(|name| name.to_string()).collect() }
}

#[test]
fn edges_downwards_are_fine() {
    let crates =
        [made_up("tilt-ir", &[]), made_up("tilt", &["tilt-ir", "tilt-exec"]), made_up("tiltc", &["tilt"])];
    assert_eq!(violations(&crates), [""; 0]);
}

#[test]
fn edges_upwards_and_sideways_are_found() {
    let crates = [made_up("tilt-ir", &["tilt"]), made_up("tilt-exec", &["tilt-interp"])];
    assert_eq!(
        violations(&crates),
        ["`tilt-ir` (layer 1) uses `tilt` (layer 3)", "`tilt-exec` (layer 2) uses `tilt-interp` (layer 2)",]
    );
}

#[test]
fn crates_without_a_layer_are_found() {
    let crates = [made_up("stranger", &["tilt-ir"]), made_up("tilt", &["stranger"])];
    assert_eq!(
        violations(&crates),
        ["`stranger` has no layer", "`tilt` (layer 3) uses `stranger`, which has no layer"]
    );
}

#[test]
fn no_crate_has_two_layers() {
    let mut names: Vec<&str> = LAYERS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
