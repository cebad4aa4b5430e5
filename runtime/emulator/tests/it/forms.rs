//! Every form of instruction that was seen in real PTX: it runs, or it is of a family that cannot run; it never panics.

use ptx_emulator::{Arg, Checks, Device, InOrder, LaunchConfig};
use tilt_backend_ptx::ast::{Instruction, Modifier, Opcode, ScalarType, StateSpace};

/// A register that holds a value of this type.
fn register(ty: ScalarType) -> &'static str {
    match ty.bits() {
        None => "p",
        Some(..=16) => "h",
        Some(17..=32) => "i",
        Some(33..=64) => "l",
        Some(_) => "w",
    }
}

fn vector(one: &str, count: usize) -> String {
    match count {
        1 => one.to_string(),
        _ => format!("{{{}}}", vec![one; count].join(", ")),
    }
}

fn place(instruction: &Instruction) -> &'static str {
    match instruction.space() {
        Some(StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster) => "[s]",
        Some(StateSpace::Local) => "[loc]",
        Some(StateSpace::Const) => "[fixed]",
        Some(StateSpace::Param) if instruction.opcode == Opcode::St => "[argument]",
        Some(StateSpace::Param) => "[wide]",
        _ => "[g]",
    }
}

/// Operands of the right types; `None` for families whose operands this test does not make.
fn operands(form: &str) -> Option<String> {
    use Opcode as O;
    let instruction = Instruction::new(form, []);
    let types: Vec<ScalarType> = instruction.types().collect();
    let first = types.first().copied();
    let own = register(first.unwrap_or(ScalarType::B32));
    let count = instruction.modifiers.iter().find_map(|one| match one {
        Modifier::Vector(count) => Some(usize::from(*count)),
        _ => None,
    });
    let count = count.unwrap_or(1);
    let has = |word: &str| instruction.has(word);
    let at = place(&instruction);
    let list = |sources: &[&str]| Some(format!("{own}, {}", sources.join(", ")));
    let dot = |count: usize| vector("i", count.max(2));
    match instruction.opcode {
        O::Ld | O::Ldu => Some(format!("{}, {at}", vector(own, count))),
        O::St => Some(format!("{at}, {}", vector(own, count))),
        O::Atom | O::Red => {
            let value = vector(own, count);
            let to = if instruction.opcode == O::Atom { format!("{value}, ") } else { String::new() };
            let third = if has("cas") { format!(", {value}") } else { String::new() };
            Some(format!("{to}{at}, {value}{third}"))
        }
        O::Mov if count > 1 => Some(format!("{}, {}", vector(own, count), vector(own, count))),
        O::Mov | O::Abs | O::Neg | O::Not | O::Cnot | O::Brev | O::Rcp | O::Sqrt | O::Rsqrt | O::Sin => {
            list(&[own])
        }
        O::Cos | O::Ex2 | O::Lg2 | O::Tanh => list(&[own]),
        O::Popc | O::Clz | O::Bfind => Some(format!("i, {own}")),
        O::Cvt if has("pack") => Some(if types.len() == 3 { "i, i, i, i" } else { "i, i, i" }.into()),
        O::Cvt
            if matches!(first?.bits()?, 32) && types.get(1)? == &ScalarType::F32 && form.contains("x2") =>
        {
            list(&["i", "i"])
        }
        O::Cvt if form.contains("x2.f32") => list(&["i", "i"]),
        O::Cvt => list(&[register(*types.get(1)?)]),
        O::Cvta => list(&["l"]),
        O::Isspacep => Some("p, l".into()),
        O::Testp => Some(format!("p, {own}")),
        O::Add | O::Sub | O::Div | O::Rem | O::Min | O::Max | O::And | O::Or | O::Xor | O::Addc | O::Subc => {
            list(&[own, own])
        }
        O::CopySign | O::Mul24 => list(&[own, own]),
        O::Mul if has("wide") => Some(format!("{}, {own}, {own}", if own == "h" { "i" } else { "l" })),
        O::Mul => list(&[own, own]),
        O::Shl | O::Shr | O::Szext | O::Bmsk => list(&[own, "i"]),
        O::Mad if has("wide") => {
            let wide = if own == "h" { "i" } else { "l" };
            Some(format!("{wide}, {own}, {own}, {wide}"))
        }
        O::Mad | O::Madc | O::Mad24 | O::Fma | O::Sad | O::Prmt | O::Dp4a | O::Dp2a | O::Fns => {
            list(&[own, own, own])
        }
        O::Lop3 => list(&[own, own, own, "0xE8"]),
        O::Shf => list(&["i", "i", "i"]),
        O::Bfe => list(&[own, "i", "i"]),
        O::Bfi => list(&[own, own, "i", "i"]),
        O::Selp => list(&[own, own, "p"]),
        O::Slct => list(&[own, own, "i"]),
        O::Set => {
            let source = register(*types.get(1)?);
            Some(format!("{own}, {source}, {source}"))
        }
        O::Setp => {
            let third = if has("and") || has("or") || has("xor") { ", !q" } else { "" };
            Some(format!("p|q, {own}, {own}{third}"))
        }
        O::Bra => Some("end".into()),
        O::Brx => Some("zero, table".into()),
        O::Call => Some("(i), f, (i)".into()),
        O::Ret | O::Exit | O::Trap | O::Brkpt | O::Fence | O::Membar | O::GridDepControl => {
            Some(String::new())
        }
        O::Nanosleep => Some("1".into()),
        O::Bar | O::Barrier if has("warp") => Some("-1".into()),
        O::Bar | O::Barrier if has("arrive") => Some("1, 64".into()),
        O::Bar | O::Barrier if has("red") => Some(format!("{own}, 0, p")),
        O::Bar | O::Barrier => Some("0".into()),
        O::Shfl => Some(format!("i|p, i, 1, 31{}", if has("sync") { ", -1" } else { "" })),
        O::Vote => Some(format!("{own}, p{}", if has("sync") { ", -1" } else { "" })),
        O::Match if has("all") => Some(format!("i|p, {own}, -1")),
        O::Match | O::Redux => Some(format!("i, {own}, -1")),
        O::Elect => Some("i|p, -1".into()),
        O::ActiveMask => Some("i".into()),
        O::Prefetch | O::Prefetchu => Some("[g]".into()),
        O::CreatePolicy => Some("l, 1.0".into()),
        O::Vadd | O::Vsub | O::Vabsdiff | O::Vmin | O::Vmax | O::Vshl | O::Vshr | O::Vset => {
            let third = if has("add") && instruction.opcode != O::Vadd || form.ends_with(".add") {
                ", i"
            } else {
                ""
            };
            Some(format!("i, i.b0, i.h1{third}"))
        }
        O::Vabsdiff4 | O::Vadd4 | O::Vsub4 | O::Vavrg4 | O::Vset4 | O::Vmad => Some("i, i, i, i".into()),
        O::Cp if has("commit_group") || has("wait_all") => Some(String::new()),
        O::Cp if has("wait_group") => Some("0".into()),
        O::Cp if has("mbarrier") => Some("[bar]".into()),
        O::Cp if has("bulk") => Some("[s], [g], 16, [bar]".into()),
        O::Cp => Some("[s], [g], 16".into()),
        O::Mbarrier if has("init") => Some("[bar], 1".into()),
        O::Mbarrier if has("inval") => Some("[bar]".into()),
        O::Mbarrier if has("test_wait") || has("try_wait") => {
            Some(format!("p, [bar], {}", if has("parity") { "i" } else { "l" }))
        }
        O::Mbarrier if has("expect_tx") && !has("arrive") => Some("[bar], 0".into()),
        O::Mbarrier if has("expect_tx") || has("noComplete") => Some("l, [bar], 0".into()),
        O::Mbarrier if has("pending_count") => Some("i, l".into()),
        O::Mbarrier => Some(if has("shared::cluster") { "_, [bar]" } else { "l, [bar]" }.into()),
        O::LdMatrix | O::StMatrix => {
            let many = if has("x4") { 4 } else { 2 };
            let registers = format!("{{{}}}", vec!["i"; if has("x1") { 1 } else { many }].join(", "));
            Some(if instruction.opcode == O::LdMatrix {
                format!("{registers}, [s]")
            } else {
                format!("[s], {registers}")
            })
        }
        O::MovMatrix => list(&["i"]),
        O::Mma => {
            let [d, a, b, c] = types[..] else { return None };
            let half = |ty| if ty == ScalarType::F16 { 2 } else { 4 };
            let deep = form.contains("k16.row.col.f")
                || form.contains("k8.row.col.f32.tf32")
                || form.contains("k32")
                || form.contains("k64");
            let _ = (a, b);
            let (a, b) = if deep { (4, 2) } else { (2, 1) };
            Some(format!(
                "{}, {}, {}, {}",
                dot(half(d)),
                dot(a),
                if b == 1 { "{i}".into() } else { dot(b) },
                dot(half(c))
            ))
        }
        O::Alloca => Some("l, 16".into()),
        O::StackSave | O::StackRestore => Some("l".into()),
        _ => None,
    }
}

#[test]
fn every_form_runs_or_says_that_it_cannot() {
    let forms: Vec<&str> = include_str!("../../../../backend-ptx/tests/data/forms.txt").lines().collect();
    let (mut ran, mut refused, mut unknown) = (0, Vec::new(), Vec::new());
    for form in forms {
        let Some(operands) = operands(form) else {
            unknown.push(form);
            continue;
        };
        let source = format!(
            ".version 8.8\n.target sm_100\n.address_size 64
            .const .align 16 .b8 fixed[64]; .shared .align 16 .b8 s[4096]; .shared .align 8 .b64 bar;
            .func (.reg .b32 r) f(.reg .b32 x) {{ add.u32 r, x, 1; ret; }}
            .entry k(.param .u64 data, .param .align 16 .b8 wide[64]) {{
                .reg .pred p, q; .reg .b16 h; .reg .b32 i, zero; .reg .b64 l, g; .reg .b128 w; .local .align 16 .b8 loc[64];
                .param .align 16 .b8 argument[64];
                ld.param.u64 g, [data]; cvta.global.u64 l, g; mov.u32 i, %laneid; cvt.u16.u32 h, i; mov.b128 w, {{l, g}}; mov.u32 zero, 0;
                setp.ne.u32 p, i, 3; setp.eq.u32 q, i, 3;
                mbarrier.init.shared.b64 [bar], 1000;
                table: .branchtargets end, end;
                {form} {operands};
                end: ret;
            }}"
        );
        let module =
            tilt_backend_ptx::parse(&source).unwrap_or_else(|error| panic!("{form} {operands}: {error}"));
        let mut device = Device::new();
        let loaded =
            device.load(&module, &source).unwrap_or_else(|error| panic!("{form} {operands}: {error}"));
        let data = device.alloc(4096);
        if !loaded.unsupported("k").is_empty() {
            refused.push(format!("{form} {operands}"));
            continue;
        }
        let config = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(data), Arg(vec![0; 64])]);
        let _ = device.launch(&loaded, "k", &config, &mut InOrder, Checks::NONE);
        ran += 1;
    }
    let families = [
        "wgmma",
        "tcgen05",
        "tex",
        "tld4",
        "suld",
        "sust",
        "sured",
        "suq",
        "txq",
        "multimem",
        "tensormap",
        "mapa",
        "getctarank",
        "clusterlaunchcontrol",
        "istypep",
        "wmma",
        "cp",
        "barrier.cluster",
        "prefetch.tensormap",
        "mma",
        "ld.shared::cluster",
        "st.shared::cluster",
    ];
    let surprises: Vec<&String> =
        refused.iter().filter(|one| !families.iter().any(|family| one.starts_with(family))).collect();
    println!("{ran} ran; not made: {unknown:?}\nrefused: {refused:#?}");
    assert!(surprises.is_empty(), "{surprises:#?}");
    assert!(ran > 1000, "{ran}");
}
