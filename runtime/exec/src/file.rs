//! Whole files: read at once, written so that a reader never sees half of one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The contents of a file; of standard input if the path is `-`.
///
/// # Errors
/// What the system reports.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        return Ok(text);
    }
    fs::read(path)
}

/// Writes a file through a temporary one beside it, which takes its name only when `write` has
/// succeeded. What is no ordinary file (a pipe, `/dev/stdout`) is written straight.
///
/// # Errors
/// What `write` or the system reports; then a file that was there is unchanged.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let target = match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            let mut out = BufWriter::new(File::options().write(true).open(path)?);
            write(&mut out)?;
            return out.flush();
        }
        Ok(_) => fs::canonicalize(path)?, // a link stays a link
        Err(_) => path.to_owned(),
    };
    let mut temporary = temporary_beside(&target)?;
    let mut out = BufWriter::new(temporary.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    temporary.persist(&target).map(drop).map_err(|failure| failure.error)
}

/// Writes to standard output. A reader that has gone away (`| head`) ends the writing without an
/// error.
///
/// # Errors
/// What else `write` or the system reports.
pub fn write_standard_output(
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            drop(out.into_parts()); // what is buffered has nowhere to go
            Ok(())
        }
        result => result,
    }
}

fn temporary_beside(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tilt-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(target).map_or(0o666, |found| found.permissions().mode());
        builder.permissions(fs::Permissions::from_mode(mode)).tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        write_atomically(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |out| {
            out.write_all(b"new, but not all")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out.csv"), folder.path().join("link.csv"));
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("out.csv");
        assert!(write_atomically(&path, |out| out.write_all(b"x")).is_err());
    }
}
