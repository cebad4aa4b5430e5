//! tilt-exec
