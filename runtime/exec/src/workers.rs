//! Threads, as many as were allowed.
//!
//! Code that can use several threads does so only inside a pool that somebody made for it; called from
//! any other thread it stays there. So no work ever goes to rayon's global pool, which has a thread for
//! every processor.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Runs `job` in a pool of this many threads; 0 means as many as there are processors. If the system
/// gives no threads, or one is asked for, the calling thread does the work.
pub(crate) fn with_threads<R: Send>(threads: usize, job: impl FnOnce() -> R + Send) -> R {
    match pool(threads) {
        Some(pool) => pool.install(job),
        None => job(),
    }
}

fn pool(threads: usize) -> Option<ThreadPool> {
    if threads == 1 {
        return None;
    }
    ThreadPoolBuilder::new().num_threads(threads).build().ok()
}

/// How many threads work on what is called from here.
pub(crate) fn threads() -> usize {
    match is_parallel() {
        true => rayon::current_num_threads(),
        false => 1,
    }
}

/// Whether the calling thread belongs to a pool.
pub(crate) fn is_parallel() -> bool {
    rayon::current_thread_index().is_some()
}

/// Applies `job` to every item, on all threads of the pool that the caller is in.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, job: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    match is_parallel() {
        true => items.into_par_iter().with_max_len(1).map(job).collect(),
        false => items.into_iter().map(job).collect(),
    }
}
