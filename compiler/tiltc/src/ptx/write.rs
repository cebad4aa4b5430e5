//! Files that are written whole or not at all.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process,
};

use crate::failure::Failure;

/// Writes beside the file and renames: whoever looks sees the old content or all of the new.
pub(crate) fn whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failed = |error| Failure::data(path.display(), error);
    let beside = beside(path);
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|error| {
        let _ = fs::remove_file(&beside); // it may not be there
        failed(error)
    })
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{}", process::id()))
}
