//! Where the texts of modules come from.
//!
//! ```
//! use std::borrow::Cow;
//! use tilt_frontend::{World, StandardLibrary, compile_in};
//!
//! struct Mine;
//!
//! impl World for Mine {
//!     fn module(&self, path: &str) -> Option<Cow<'_, str>> {
//!         match path {
//!             "bands" => Some("fn upper(s, n) = mean(s[t-n..t]) + 2 * std(s[t-n..t])".into()),
//!             _ => StandardLibrary.module(path),
//!         }
//!     }
//! }
//!
//! let source = "use bands::upper\ninput x { v: f64 } every 1s\noutput high = x.v > upper(x.v, 1m)";
//! assert!(compile_in(&Mine, "high.tilt", source).is_ok());
//! ```

use std::borrow::Cow;

/// Knows the texts of modules. The compiler reads no files: whoever calls it does.
pub trait World {
    /// The text of the module called `path`, names joined by `::`; `None` if there is none. A world that has modules of its
    /// own asks [`StandardLibrary`] for the others. In messages, the module `a::b` is called `a/b.tilt`.
    fn module(&self, path: &str) -> Option<Cow<'_, str>>;

    /// The paths of modules, for suggestions where one is misspelled.
    fn paths(&self) -> Vec<String> {
        tilt_std::modules().iter().map(|module| module.path.into()).collect()
    }
}

/// The world that has the standard library and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardLibrary;

impl World for StandardLibrary {
    fn module(&self, path: &str) -> Option<Cow<'_, str>> {
        tilt_std::module(path).map(|module| module.source.into())
    }
}
