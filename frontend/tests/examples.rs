//! Every program in `examples/` compiles without a warning, to TiLT IR that the verifier accepts and that reads back,
//! and is laid out the way the formatter does it.

use std::fs;
use std::path::{Path, PathBuf};
use tilt_frontend::compile;
use tilt_frontend::diagnostic::{Paint, render};
use tilt_ir::tir;

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of examples") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tilt") {
            found.push(path);
        }
    }
}

#[test]
fn examples_compile() {
    let mut paths = Vec::new();
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples"), &mut paths);
    assert!(paths.len() > 10, "the examples are there");
    for path in paths {
        let source = fs::read_to_string(&path).expect("a text");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let draw =
            |all: Vec<_>| all.iter().map(|one| render(one, name, &source, Paint::Plain)).collect::<String>();
        let (query, warnings) = compile(name, &source).unwrap_or_else(|errors| panic!("{}", draw(errors)));
        assert!(warnings.is_empty(), "{}", draw(warnings));
        if let Err(errors) = tir::verify(&query) {
            panic!("{name}: {errors:?}\n{query}");
        }
        assert_eq!(tir::parse(&query.to_string()).as_ref(), Ok(&query), "{name}");
    }
}
