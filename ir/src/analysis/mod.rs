//! What can be known of a query before it runs.
