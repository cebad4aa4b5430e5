//! Matrices spread over a warp, against products of plain arrays.

use ptx_emulator::{Arg, Checks, FaultKind, InOrder, LaunchConfig};

use crate::support::Bench;

/// Runs `body` in 32 threads that each have eight words of `in` in r0…r7 and leave eight in d0…d7; gives those, lane after lane.
fn run(body: &str, input: &[u32]) -> Result<Vec<u32>, FaultKind> {
    let mut bench = Bench::new(&format!(
        ".shared .align 16 .b8 s[2048];
        .entry k(.param .u64 out, .param .u64 in) {{
            .reg .b64 o, i, n; .reg .b32 t, m, r<16>, d<8>; .reg .f64 f<8>;
            ld.param.u64 o, [out]; ld.param.u64 i, [in]; mov.u32 t, %laneid; mul.wide.u32 n, t, 32; add.u64 o, o, n;
            mad.wide.u32 i, t, 64, i;
            ld.global.v4.u32 {{r0, r1, r2, r3}}, [i]; ld.global.v4.u32 {{r4, r5, r6, r7}}, [i+16];
            ld.global.v4.u32 {{r8, r9, r10, r11}}, [i+32]; ld.global.v4.u32 {{r12, r13, r14, r15}}, [i+48];
            mov.u32 d0, 0; mov.u32 d1, 0; mov.u32 d2, 0; mov.u32 d3, 0; mov.u32 d4, 0; mov.u32 d5, 0; mov.u32 d6, 0; mov.u32 d7, 0;
            mov.u32 m, s; mad.lo.u32 m, t, 16, m;
            {body}
            st.global.v4.u32 [o], {{d0, d1, d2, d3}}; st.global.v4.u32 [o+16], {{d4, d5, d6, d7}};
            ret;
        }}"
    ));
    let (input, out) = (bench.words(input), bench.words(&[0; 256]));
    let config = LaunchConfig::new([1, 1, 1], [32, 1, 1], vec![Arg::from(out), Arg::from(input)]);
    bench.launch(&config, &mut InOrder, Checks::ALL).map_err(|fault| fault.kind)?;
    Ok(bench.read(out, 256))
}

/// A small whole number for a place of a matrix.
fn number(matrix: usize, row: usize, column: usize) -> i32 {
    ((matrix * 31 + row * 7 + column * 5) % 13) as i32 - 6
}

/// The f16 of a small whole number.
fn half(value: i32) -> u32 {
    let magnitude = value.unsigned_abs();
    let sign = u32::from(value < 0) << 15;
    match magnitude {
        0 => sign,
        _ => {
            let top = magnitude.ilog2();
            sign | (top + 15) << 10 | (magnitude << (10 - top) & 1023)
        }
    }
}

fn bf16(value: i32) -> u32 {
    (value as f32).to_bits() >> 16
}

fn product(row: usize, column: usize, depth: usize) -> i32 {
    (0..depth).map(|k| number(0, row, k) * number(1, k, column)).sum::<i32>() + number(2, row, column)
}

/// Fragments of a (16 rows), b and c as the tables of the ISA have them, for elements of `bits` bits, `depth` deep.
fn fragments(bits: usize, depth: usize, code: impl Fn(i32) -> u32, c: impl Fn(i32) -> u32) -> Vec<u32> {
    let each = 32 / bits;
    let mut words = vec![0; 512];
    for lane in 0..32 {
        let (group, thread) = (lane / 4, lane % 4);
        let steps = depth / (4 * each);
        for step in 0..steps {
            for part in 0..each {
                let k = step * 4 * each + thread * each + part;
                for (half, row) in [group, group + 8].into_iter().enumerate() {
                    words[lane * 16 + 2 * step + half] |= code(number(0, row, k)) << (part * bits);
                }
                words[lane * 16 + 4 + step] |= code(number(1, k, group)) << (part * bits);
            }
        }
        for element in 0..4 {
            words[lane * 16 + 8 + element] =
                c(number(2, group + 8 * (element / 2), thread * 2 + element % 2));
        }
    }
    words
}

fn check(found: &[u32], depth: usize, code: impl Fn(i32) -> u32) {
    for lane in 0..32 {
        for element in 0..4 {
            let (row, column) = (lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2);
            assert_eq!(found[lane * 8 + element], code(product(row, column, depth)), "d[{row}][{column}]");
        }
    }
}

#[test]
fn products_of_every_type() {
    let f = |value: i32| (value as f32).to_bits();
    let s = |value: i32| value as u32;
    let byte = |value: i32| value as u32 & 0xff;
    let nibble = |value: i32| value as u32 & 0xf;
    let four = "{d0,d1,d2,d3}, {r0,r1,r2,r3}, {r4,r5}, {r8,r9,r10,r11};";
    let two = "{d0,d1,d2,d3}, {r0,r1}, {r4}, {r8,r9,r10,r11};";
    let run = |form: &str, operands: &str, input: Vec<u32>| {
        run(&format!("mma.sync.aligned.{form} {operands}"), &input).unwrap()
    };
    check(&run("m16n8k16.row.col.f32.f16.f16.f32", four, fragments(16, 16, half, f)), 16, f);
    check(&run("m16n8k8.row.col.f32.f16.f16.f32", two, fragments(16, 8, half, f)), 8, f);
    check(&run("m16n8k16.row.col.f32.bf16.bf16.f32", four, fragments(16, 16, bf16, f)), 16, f);
    check(&run("m16n8k8.row.col.f32.tf32.tf32.f32", four, fragments(32, 8, f, f)), 8, f);
    check(&run("m16n8k4.row.col.f32.tf32.tf32.f32", two, fragments(32, 4, f, f)), 4, f);
    check(&run("m16n8k32.row.col.s32.s8.s8.s32", four, fragments(8, 32, byte, s)), 32, s);
    check(&run("m16n8k16.row.col.satfinite.s32.s8.s8.s32", two, fragments(8, 16, byte, s)), 16, s);
    check(&run("m16n8k64.row.col.s32.s4.s4.s32", four, fragments(4, 64, nibble, s)), 64, s);
    // e4m3 of a small whole number, from its half: three bits of fraction hold it
    let e4m3 = |value: i32| match half(value) {
        0 | 0x8000 => 0,
        bits => bits >> 8 & 0x80 | ((bits >> 10 & 31) - 15 + 7) << 3 | bits >> 7 & 7,
    };
    check(&run("m16n8k32.row.col.f32.e4m3.e4m3.f32", four, fragments(8, 32, e4m3, f)), 32, f);
}

/// Four products of 8×4 and 4×8 halves, one in each pair of quads, in all orders and with both accumulators.
#[test]
fn quads() {
    for (order, a_by_column, b_by_row) in [
        ("row.col", false, false),
        ("col.row", true, true),
        ("row.row", false, true),
        ("col.col", true, false),
    ] {
        let shifted =
            |quad: usize, matrix: usize, row: usize, column: usize| number(matrix, row + quad, column);
        let mut input = vec![0; 512];
        for lane in 0..32 {
            let (quad, low, upper) = (lane % 16 / 4, lane % 4, lane / 16 * 4);
            for i in 0..4 {
                let (row, column) = if a_by_column { (i + upper, low) } else { (low + upper, i) };
                input[lane * 16 + i / 2] |= half(shifted(quad, 0, row, column)) << (16 * (i % 2));
                let (row, column) = if b_by_row { (low, i + upper) } else { (i, low + upper) };
                input[lane * 16 + 4 + i / 2] |= half(shifted(quad, 1, row, column)) << (16 * (i % 2));
            }
            for i in 0..8 {
                // c as halves, eight columns of one row
                input[lane * 16 + 8 + i / 2] |= half(shifted(quad, 2, low + upper, i)) << (16 * (i % 2));
            }
        }
        let wanted = |quad: usize, row: usize, column: usize| {
            let products = (0..4).map(|k| shifted(quad, 0, row, k) * shifted(quad, 1, k, column));
            products.sum::<i32>() + shifted(quad, 2, row, column)
        };
        let body = |d: &str, ty: &str| {
            format!(
                "mma.sync.aligned.m8n8k4.{order}.{ty}.f16.f16.f16 {{{d}}}, {{r0,r1}}, {{r4,r5}}, {{r8,r9,r10,r11}};"
            )
        };
        let wide = run(&body("d0,d1,d2,d3,d4,d5,d6,d7", "f32"), &input).unwrap();
        let narrow = run(&body("d0,d1,d2,d3", "f16"), &input).unwrap();
        for lane in 0..32 {
            let (quad, upper) = (lane % 16 / 4, lane / 16 * 4);
            for i in 0..8 {
                let (row, column) = ((lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1));
                assert_eq!(
                    wide[lane * 8 + i],
                    (wanted(quad, row, column) as f32).to_bits(),
                    "{order} {lane} {i}"
                );
                let bits = narrow[lane * 8 + i / 2] >> (16 * (i % 2)) & 0xffff;
                assert_eq!(bits, half(wanted(quad, lane % 4 + upper, i)), "{order} {lane} {i}");
            }
        }
    }
}

/// Rows of a in which element `p` and `q` of each four are given, other places in other rows and chunks.
#[test]
fn sparse_products() {
    let f = |value: i32| (value as f32).to_bits();
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let pair = |row: usize, chunk: usize| pairs[(row + 2 * chunk) % 6];
    for (depth, selectors) in [(16usize, 4usize), (32, 2)] {
        for selector in 0..selectors {
            let mut words = vec![0; 512];
            for lane in 0..32 {
                let (group, thread) = (lane / 4, lane % 4);
                for register in 0..depth / 8 {
                    let row = group + 8 * (register % 2);
                    let chunk = thread + 4 * (register / 2);
                    let (p, q) = pair(row, chunk);
                    let element = |place: usize| half(number(0, row, 4 * chunk + place));
                    words[lane * 16 + register] = element(p) | element(q) << 16;
                }
                for register in 0..depth / 8 {
                    let k = 8 * register + 2 * thread;
                    words[lane * 16 + 4 + register] =
                        half(number(1, k, group)) | half(number(1, k + 1, group)) << 16;
                }
                for element in 0..4 {
                    words[lane * 16 + 8 + element] =
                        f(number(2, group + 8 * (element / 2), thread * 2 + element % 2));
                }
                // the lanes that are not selected hold what must not be looked at
                let first = match (depth, thread) {
                    (16, _) if thread == selector => Some(0),
                    (32, _) if thread / 2 == selector => Some(4 * (thread % 2)),
                    _ => None,
                };
                words[lane * 16 + 12] = first.map_or(0xe4e4_e4e4, |first| {
                    let indices = |row: usize| {
                        (0..4).fold(0u32, |all, chunk| {
                            let (p, q) = pair(row, first + chunk);
                            all | (p as u32 | (q as u32) << 2) << (4 * chunk)
                        })
                    };
                    indices(group) | indices(group + 8) << 16
                });
            }
            let (a, b) = if depth == 32 { ("r0,r1,r2,r3", "r4,r5,r6,r7") } else { ("r0,r1", "r4,r5") };
            let body = format!(
                "mma.sp::ordered_metadata.sync.aligned.m16n8k{depth}.row.col.f32.f16.f16.f32 {{d0,d1,d2,d3}},
                {{{a}}}, {{{b}}}, {{r8,r9,r10,r11}}, r12, {selector};"
            );
            let found = run(&body, &words).unwrap();
            for lane in 0..32 {
                for element in 0..4 {
                    let (row, column) = (lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2);
                    let is_given = |k: usize| {
                        let (p, q) = pair(row, k / 4);
                        k % 4 == p || k % 4 == q
                    };
                    let products =
                        (0..depth).filter(|k| is_given(*k)).map(|k| number(0, row, k) * number(1, k, column));
                    let wanted = products.sum::<i32>() + number(2, row, column);
                    assert_eq!(found[lane * 8 + element], f(wanted), "{depth} {selector} d[{row}][{column}]");
                }
            }
        }
    }
}

#[test]
fn half_accumulators() {
    let mut input = fragments(16, 16, half, |_| 0);
    for lane in 0..32 {
        for register in 0..2 {
            let c = |column: usize| half(number(2, lane / 4 + 8 * register, lane % 4 * 2 + column));
            input[lane * 16 + 8 + register] = c(0) | c(1) << 16;
        }
    }
    let found = run(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {d0,d1}, {r0,r1,r2,r3}, {r4,r5}, {r8,r9};",
        &input,
    )
    .unwrap();
    for lane in 0..32 {
        for element in 0..4 {
            let (row, column) = (lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2);
            let bits = found[lane * 8 + element / 2] >> (16 * (element % 2)) & 0xffff;
            assert_eq!(bits, half(product(row, column, 16)));
        }
    }
}

#[test]
fn doubles_and_bits() {
    // a[i][k] = lane number as a whole number: lane 4i + k
    let body = "cvt.rn.f64.u32 f0, t; mov.f64 f1, f0; mov.f64 f2, 0d3FF0000000000000; mov.f64 f3, f2;
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {f4, f5}, {f0}, {f1}, {f2, f3};
        cvt.rzi.u32.f64 d0, f4; cvt.rzi.u32.f64 d1, f5;";
    let found = run(body, &[0; 512]).unwrap();
    for lane in 0..32 {
        for element in 0..2 {
            let (row, column) = (lane / 4, lane % 4 * 2 + element);
            let wanted: usize = (0..4).map(|k| (4 * row + k) * (4 * column + k)).sum::<usize>() + 1;
            assert_eq!(found[lane * 8 + element], wanted as u32);
        }
    }
    let input: Vec<u32> = (0..512u32).map(|word| word.wrapping_mul(0x9e37_79b9)).collect();
    let found =
        run("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {d0,d1}, {r0}, {r4}, {r8,r9};", &input)
            .unwrap();
    for lane in 0..32 {
        for element in 0..2 {
            let (row, column) = (lane / 4, lane % 4 * 2 + element);
            let ones: u32 = (0..4)
                .map(|k| (input[(row * 4 + k) * 16] ^ input[(column * 4 + k) * 16 + 4]).count_ones())
                .sum();
            assert_eq!(found[lane * 8 + element], ones.wrapping_add(input[lane * 16 + 8 + element]));
        }
    }
}

#[test]
fn matrices_from_and_to_shared_memory() {
    // lane n writes row n of four 8x8 matrices: element (row, column) of matrix x is x·64 + row·8 + column
    let rows: Vec<u32> =
        (0..32)
            .flat_map(|lane| {
                (0..16).map(move |word| {
                    if word < 4 { (lane * 8 + 2 * word) | (lane * 8 + 2 * word + 1) << 16 } else { 0 }
                })
            })
            .collect();
    let fill = "st.shared.v4.u32 [m], {r0, r1, r2, r3}; bar.warp.sync -1;";
    let element = |matrix: usize, row: usize, column: usize| (matrix * 64 + row * 8 + column) as u32;
    let found = run(&format!("{fill} ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{d0,d1,d2,d3}}, [m];"), &rows)
        .unwrap();
    let turned =
        run(&format!("{fill} ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {{d0,d1,d2,d3}}, [m];"), &rows)
            .unwrap();
    for lane in 0..32 {
        let (row, column) = (lane / 4, lane % 4 * 2);
        for matrix in 0..4 {
            assert_eq!(
                found[lane * 8 + matrix],
                element(matrix, row, column) | element(matrix, row, column + 1) << 16
            );
            assert_eq!(
                turned[lane * 8 + matrix],
                element(matrix, column, row) | element(matrix, column + 1, row) << 16
            );
        }
    }
    let moved = run(&format!("{fill} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{d1}}, [m]; movmatrix.sync.aligned.m8n8.trans.b16 d0, d1;"), &rows).unwrap();
    assert!((0..32).all(|lane| moved[lane * 8] == turned[lane * 8]));
    for trans in ["", ".trans"] {
        let back = format!(
            "{fill} ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{d0,d1,d2,d3}}, [m]; bar.warp.sync -1;
            stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [m+512], {{d0,d1,d2,d3}}; bar.warp.sync -1;
            ld.shared.v4.u32 {{d0,d1,d2,d3}}, [m+512];"
        );
        let found = run(&back, &rows).unwrap();
        for lane in 0..32 {
            assert_eq!(found[lane * 8..lane * 8 + 4], rows[lane * 16..lane * 16 + 4]);
        }
    }
}

#[test]
fn wmma_by_way_of_memory() {
    // 16x16 halves a (rows) and b (columns), f32 c
    let mut bench = Bench::new(
        ".entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {
            .reg .b64 x, y, z, w; .reg .b32 a<8>, b<8>; .reg .f32 c<8>;
            ld.param.u64 x, [a]; ld.param.u64 y, [b]; ld.param.u64 z, [c]; ld.param.u64 w, [d];
            wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {a0,a1,a2,a3,a4,a5,a6,a7}, [x], 16;
            wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {b0,b1,b2,b3,b4,b5,b6,b7}, [y], 16;
            wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {c0,c1,c2,c3,c4,c5,c6,c7}, [z], 16;
            wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {c0,c1,c2,c3,c4,c5,c6,c7}, {a0,a1,a2,a3,a4,a5,a6,a7},
                {b0,b1,b2,b3,b4,b5,b6,b7}, {c0,c1,c2,c3,c4,c5,c6,c7};
            wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [w], {c0,c1,c2,c3,c4,c5,c6,c7}, 20;
            ret;
        }",
    );
    let pack = |matrix: usize, by_column: bool| -> Vec<u32> {
        let at = |index: usize| {
            let (major, minor) = (index / 16, index % 16);
            half(if by_column { number(matrix, minor, major) } else { number(matrix, major, minor) })
        };
        (0..128).map(|word| at(2 * word) | at(2 * word + 1) << 16).collect()
    };
    let (a, b) = (bench.words(&pack(0, false)), bench.words(&pack(1, true)));
    let c: Vec<u32> = (0..256).map(|at| (number(2, at / 16, at % 16) as f32).to_bits()).collect();
    let (c, d) = (bench.words(&c), bench.words(&[0; 320]));
    bench.run(1, 32, [a, b, c, d].map(Arg::from).to_vec()).unwrap();
    let found = bench.read(d, 320);
    for row in 0..16 {
        for column in 0..16 {
            assert_eq!(found[column * 20 + row], (product(row, column, 16) as f32).to_bits());
        }
    }
}

#[test]
fn a_warp_that_is_not_whole() {
    let input = [0; 512];
    let body = ".reg .pred p; setp.lt.u32 p, t, 16; @p mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0,d1,d2,d3}, {r0,r1}, {r4}, {r8,r9,r10,r11};";
    assert!(matches!(run(body, &input).unwrap_err(), FaultKind::Diverged { .. }));
}
