//! tilt
