//! Facts about what is read, and what is declared.

use std::collections::BTreeSet;

use super::calls::names_block;
use super::crew::{Crew, keys};
use crate::analysis::{Meaning, Placed};
use crate::ast::{Opcode, Operand, StateSpace, Statement};
use crate::legality::{Condition, Form, Site};
use crate::span::Spanned;

/// Special registers that mean the same in every launch of a form.
const SAME: &[&str] = &[
    "tid",
    "ntid",
    "laneid",
    "warpid",
    "nwarpid",
    "nwarpid32",
    "smid",
    "nsmid",
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
    "dynamic_smem_offset",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "host_clock",
];

/// Those about a cluster that slices of whole clusters do not change.
const IN_CLUSTER: &[&str] =
    &["cluster_ctaid", "cluster_nctaid", "cluster_ctarank", "cluster_nctarank", "is_explicit_cluster"];

pub(super) fn all_known(crew: &Crew<'_, '_>, objections: &mut Vec<String>) {
    for (member, at, placed) in crew.all() {
        let text = placed.instruction.operands.iter().any(|one| matches!(one.node, Operand::Text(_)));
        if text || matches!(placed.instruction.opcode, Opcode::Other(_)) {
            objections.push(format!("instruction {at} of `{}` is not known", member.name()));
        }
    }
    visit(crew, &mut |statement| {
        if let Statement::Unknown(text) = statement {
            objections.push(format!("the directive `{text}` is not known"));
        }
    });
}

pub(super) fn no_static_variables(crew: &Crew<'_, '_>, objections: &mut Vec<String>) {
    visit(crew, &mut |statement| match statement {
        Statement::Variable(variable) if variable.space == StateSpace::Global => {
            objections.push(format!("`{}` belongs to one function", variable.names[0].name));
        }
        _ => {}
    });
}

fn visit(crew: &Crew<'_, '_>, look: &mut dyn FnMut(&Statement)) {
    for member in &crew.members {
        let mut open: Vec<&[Spanned<Statement>]> =
            member.body.function.body.iter().map(Vec::as_slice).collect();
        while let Some(statements) = open.pop() {
            for one in statements {
                look(&one.node);
                if let Statement::Block(inner) = &one.node {
                    open.push(inner);
                }
            }
        }
    }
}

fn special_names<'p>(placed: &'p Placed<'_>) -> impl Iterator<Item = &'p str> {
    let specials = placed.names.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Special));
    specials.map(|(name, _)| name.trim_start_matches('%'))
}

pub(super) fn special(
    crew: &Crew<'_, '_>,
    form: Form,
    names: &[String],
    conditions: &[Condition],
    objections: &mut Vec<String>,
) {
    let clusters = form == Form::Slice && conditions.contains(&Condition::SlicesOfWholeClusters);
    for (member, at, placed) in crew.all() {
        for name in special_names(placed).filter(|name| !matches!(*name, "ctaid" | "nctaid")) {
            let dead = || {
                let written: Vec<_> = placed.writes.iter().map(|write| write.register).collect();
                let all = &member.body.instructions;
                !all.iter().any(|other| other.reads.iter().any(|read| written.contains(read)))
            };
            let same = SAME.contains(&name)
                || name.starts_with("pm")
                || (IN_CLUSTER.contains(&name) && clusters)
                || (name.starts_with("gridid") && placed.instruction.opcode == Opcode::Mov && dead());
            let listed = names.iter().any(|own| own.trim_start_matches('%') == name);
            if !same || !listed {
                objections.push(format!("instruction {at} of `{}` reads `%{name}`", member.name()));
            }
        }
    }
}

pub(super) fn block_index(crew: &Crew<'_, '_>, sites: &[Site], objections: &mut Vec<String>) {
    let found = crew.where_(names_block);
    for (function, at) in found.symmetric_difference(&keys(sites)) {
        objections.push(format!(
            "the list of reads of the block index is wrong at instruction {at} of `{function}`"
        ));
    }
}

/// What the launch has to keep to is listed.
pub(super) fn conditions(
    crew: &Crew<'_, '_>,
    form: Form,
    conditions: &[Condition],
    objections: &mut Vec<String>,
) {
    let dependent = crew.all().any(|(.., placed)| placed.instruction.opcode == Opcode::GridDepControl);
    if dependent && !conditions.contains(&Condition::NoProgrammaticLaunch) {
        objections.push("a programmatic launch is waited for".to_owned());
    }
    if crew.all().any(|(.., placed)| placed.instruction.opcode == Opcode::ClusterLaunchControl) {
        objections.push("blocks that have not started are taken over".to_owned());
    }
    let directive = crew.kernel().body.function.tuning.iter().any(|one| one.to_string().contains("cluster"));
    if !directive && !crew.all().any(|(.., placed)| in_cluster(placed)) {
        return;
    }
    if form == Form::Preempt || !conditions.contains(&Condition::SlicesOfWholeClusters) {
        objections.push("the blocks form clusters".to_owned());
    }
}

/// By the words of the instruction: those of bulk copies and arrivals that say `cluster` and stay within the block left aside.
fn in_cluster(placed: &Placed<'_>) -> bool {
    let text = placed.instruction.form();
    let plain = matches!(
        placed.instruction.opcode,
        Opcode::Cp | Opcode::Mbarrier | Opcode::Fence | Opcode::Tcgen05 | Opcode::Multimem
    );
    let pair = text.contains("multicast::cluster") || text.contains("cta_group::2");
    placed.instruction.opcode == Opcode::Mapa
        || placed.instruction.opcode == Opcode::GetCtaRank
        || pair
        || (!plain && (text.contains("shared::cluster") || text.starts_with("barrier.cluster")))
        || special_names(placed).any(|name| name.contains("cluster"))
}

/// The layout of the parameters, computed again.
pub(super) fn parameters(crew: &Crew<'_, '_>, form: Form, claimed: [u64; 4], objections: &mut Vec<String>) {
    let [original, offset, total, limit] = claimed;
    let (align, own) = match form {
        Form::Slice => (4, 24),
        Form::Preempt => (8, 64),
    };
    let mut end = 0u64;
    for one in crew.kernel().body.function.parameters() {
        let element = one.ty.scalar().and_then(|ty| ty.bits()).unwrap_or(64).div_ceil(8);
        let natural = u64::from(element) * u64::from(one.vector.unwrap_or(1));
        let align = one.align.map_or(natural, u64::from).max(1);
        let bytes = one.names.first().and_then(|name| one.bytes(name)).unwrap_or(u64::MAX / 2);
        end = end.div_ceil(align).saturating_mul(align).saturating_add(bytes);
    }
    let module = crew.verified.module();
    let new = module.version().is_some_and(|version| version >= (8, 1));
    let most = if new && module.architecture().is_some_and(|sm| sm >= 70) { 32764 } else { 4352 };
    let wrong_place = offset < end || offset % align != 0 || total < offset + own || total > most;
    if end != original || limit != most || wrong_place {
        objections.push(format!("the parameters take {end} of {most} bytes"));
    }
}

/// The sites of a fact that are not in the set.
pub(super) fn not_among(sites: &BTreeSet<(String, usize)>, listed: &[Site]) -> Vec<String> {
    let listed = keys(listed);
    sites.difference(&listed).map(|(function, at)| format!("instruction {at} of `{function}`")).collect()
}
