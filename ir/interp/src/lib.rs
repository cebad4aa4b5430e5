//! tilt-interp
