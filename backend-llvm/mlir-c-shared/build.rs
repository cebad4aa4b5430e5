//! Writes `libMLIR-C.so`, a linker script that stands for the MLIR C API.
//!
//! `mlir-sys`, told to link shared, asks the linker for `-lMLIR-C`. Some distributions ship the C++ side as one shared
//! library but the C API only as static archives, `libMLIRCAPI*.a`. The script of that name makes the linker take the
//! archives (small, glue only) together with the two shared libraries they are glue for.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

const LIBRARY: &str = "libMLIR-C.so";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");

    let prefix = env::var("MLIR_SYS_220_PREFIX")
        .map_err(|_| "MLIR_SYS_220_PREFIX must name the LLVM and MLIR installation")?;
    let libraries = Path::new(&prefix).join("lib");
    if libraries.join(LIBRARY).exists() {
        return Ok(()); // the installation has the real thing
    }

    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join(LIBRARY), linker_script(&libraries)?)?;
    println!("cargo:rustc-link-search=native={}", out.display());
    Ok(())
}

/// `INPUT(every archive of the C API, then the shared libraries that define what the archives call)`.
fn linker_script(libraries: &Path) -> Result<String, Box<dyn Error>> {
    let mut archives = Vec::new();
    for entry in fs::read_dir(libraries)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
        if name.starts_with("libMLIRCAPI") && name.ends_with(".a") {
            archives.push(path.display().to_string());
        }
    }
    if archives.is_empty() {
        return Err(format!("no libMLIRCAPI*.a in {}", libraries.display()).into());
    }
    archives.sort();
    let shared = ["libMLIR.so", "libLLVM-22.so"].map(|name| libraries.join(name));
    Ok(format!("GROUP({}) INPUT({} {})\n", archives.join(" "), shared[0].display(), shared[1].display()))
}
