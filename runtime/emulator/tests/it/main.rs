//! Small kernels with results that are known or computed another way.

mod atomics;
mod barriers;
mod calls;
mod checks;
mod control;
mod conversions;
mod copies;
mod corpus;
mod faults;
mod floats;
mod forms;
mod hostile;
mod integers;
mod matrices;
mod memory;
mod schedules;
mod support;
mod video;
mod warps;
