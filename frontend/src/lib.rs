//! tilt-frontend
