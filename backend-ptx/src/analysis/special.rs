//! Special registers.

/// Names without a number in them, without the percent sign.
const NAMES: &[&str] = &[
    "tid",
    "ntid",
    "laneid",
    "warpid",
    "nwarpid",
    "ctaid",
    "nctaid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "current_graph_exec",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "host_clock",
    "gridid32",
    "nwarpid32",
    "dynamic_smem_offset",
];

/// Names that end with a number below the one given.
const NUMBERED: &[(&str, u32)] = &[("envreg", 32), ("pm", 8), ("reserved_smem_offset_", 2)];

/// Whether `name`, with its percent sign, is a special register such as `%tid` or `%envreg3`.
///
/// ```
/// use tilt_backend_ptx::analysis::is_special;
/// assert!(is_special("%tid") && is_special("%pm7_64") && is_special("%envreg31"));
/// assert!(!is_special("%r1") && !is_special("%envreg32"));
/// ```
pub fn is_special(name: &str) -> bool {
    let Some(name) = name.strip_prefix('%') else { return false };
    if NAMES.contains(&name) {
        return true;
    }
    NUMBERED.iter().any(|(prefix, count)| {
        let number = name.strip_prefix(prefix).map(|rest| rest.strip_suffix("_64").unwrap_or(rest));
        number.and_then(|digits| digits.parse::<u32>().ok()).is_some_and(|number| number < *count)
    })
}
