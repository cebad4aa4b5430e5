//! Clusters of blocks and what only they have (rows 5 and 6 of the table).

use super::registers::specials;
use super::scene::{Family, Findings};
use super::{Code, Condition};
use crate::analysis::Placed;
use crate::ast::{Opcode, StateSpace};

const DIRECTIVES: &[&str] = &["reqnctapercluster", "explicitcluster", "maxclusterrank", "blocksareclusters"];

/// Slices of whole clusters keep every cluster as it is; but not its number.
pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    for (routine, at, placed) in family.instructions() {
        if placed.instruction.opcode == Opcode::ClusterLaunchControl {
            let message = "blocks of the grid that have not started are taken over";
            findings.refuse(Code::ClusterLaunchControl, Some(family.site(routine, at)), message);
        }
        if let Some(name) =
            specials(placed).find(|name| matches!(name.as_str(), "%clusterid" | "%nclusterid"))
        {
            let message = format!("`{name}` counts the clusters of a slice, not of the grid");
            findings.refuse(Code::Cluster, Some(family.site(routine, at)), message);
        }
    }
    if has_clusters(family) {
        findings.under(Condition::SlicesOfWholeClusters);
    }
}

/// A worker is one block, not a cluster.
pub(super) fn check_preempt(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let directive = DIRECTIVES.iter().find(|name| family.kernel.body.function.tuning(name).is_some());
    if let Some(name) = directive {
        findings.refuse(Code::Cluster, None, format!("`.{name}` makes clusters of blocks"));
    }
    for (routine, at, placed) in family.instructions() {
        let site = || Some(family.site(routine, at));
        if reaches_neighbours(placed) {
            findings.refuse(
                Code::ClusterSharedMemory,
                site(),
                "this reaches the shared memory of other blocks",
            );
        } else if belongs_to_cluster(placed) {
            findings.refuse(Code::Cluster, site(), "this is about the blocks of a cluster");
        }
    }
}

fn has_clusters(family: &Family<'_, '_, '_>) -> bool {
    DIRECTIVES.iter().any(|name| family.kernel.body.function.tuning(name).is_some())
        || family.instructions().any(|(.., placed)| belongs_to_cluster(placed) || reaches_neighbours(placed))
}

/// Whether the instruction reads or writes shared memory of other blocks. Copies from global memory and arrivals name the space
/// of the cluster also where they stay within the block: PTX has no other form of them.
fn reaches_neighbours(placed: &Placed<'_>) -> bool {
    let instruction = placed.instruction;
    let names_space =
        instruction.space() == Some(StateSpace::SharedCluster) || instruction.has("multicast::cluster");
    match instruction.opcode {
        Opcode::Mapa => true,
        Opcode::Ld | Opcode::St | Opcode::Atom | Opcode::Red => names_space,
        _ => instruction.has("multicast::cluster"),
    }
}

fn belongs_to_cluster(placed: &Placed<'_>) -> bool {
    let instruction = placed.instruction;
    let opcode = match instruction.opcode {
        Opcode::Barrier => instruction.has("cluster"),
        Opcode::GetCtaRank => true,
        // the second CTA of a pair
        Opcode::Tcgen05 => instruction.has("cta_group::2"),
        _ => false,
    };
    opcode || specials(placed).any(|name| name.contains("cluster"))
}
