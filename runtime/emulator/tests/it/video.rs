//! Video instructions.

use crate::support::compute32;

#[test]
fn known_values() {
    let cases: &[(&str, [u32; 3], u32)] = &[
        ("vadd.u32.u32.u32 id, ia, ib;", [7, 8, 0], 15),
        ("vadd.u32.s32.u32.add id, ia.b0, ib.h1, ic;", [0xff, 0x0003_0000, 10], 12),
        ("vadd.s32.s32.s32.sat id, ia, ib;", [0x7fff_ffff, 1, 0], 0x7fff_ffff),
        ("vsub.u32.u32.u32.sat id, ia, ib;", [3, 5, 0], 0),
        ("vabsdiff.u32.s32.s32 id, ia.b3, ib.b0;", [0xff00_0000, 1, 0], 2),
        ("vmin.s32.s32.s32.max id, ia, ib, ic;", [-5i32 as u32, 3, 0], 0),
        ("vshl.u32.u32.u32.clamp id, ia, ib;", [1, 40, 0], 0),
        ("vshr.u32.u32.u32.wrap id, ia, ib;", [0x100, 36, 0], 0x10),
        ("vset.u32.u32.lt id, ia.b1, ib.b3;", [0x0000_0300, 0x0400_0000, 0], 1),
        ("vmad.u32.u32.u32.shr7 id, ia, ib, ic;", [64, 4, 128], 3),
        ("vmad.s32.s32.s32 id, -ia, ib, ic;", [3, 4, 2], -10i32 as u32),
        ("vadd.u32.u32.u32 id.b1, ia, ib, ic;", [0x1fe, 1, 0xaaaa_aaaa], 0xaaaa_ffaa),
        ("vadd4.u32.u32.u32 id, ia, ib, ic;", [0x01ff_0102, 0x0101_0101, 0], 0x0200_0203),
        ("vadd4.u32.u32.u32.sat id, ia, ib, ic;", [0x01ff_0102, 0x0101_0101, 0], 0x02ff_0203),
        ("vsub2.s32.s32.s32 id, ia, ib, ic;", [0x0001_0005, 0x0002_0003, 0], 0xffff_0002),
        ("vabsdiff4.u32.u32.u32.add id, ia, ib, ic;", [0x0a05_0001, 0x0506_0300, 100], 100 + 5 + 1 + 3 + 1),
        ("vavrg4.u32.u32.u32 id, ia, ib, ic;", [0x0102_0304, 0x0303_0303, 0], 0x0203_0304),
        ("vset4.u32.u32.eq id, ia, ib, ic;", [0x0102_0304, 0x0100_0300, 0], 0x0100_0100),
        ("vmax4.s32.s32.s32 id, ia, ib, ic;", [0xff02_8004, 0x0101_0101, 0], 0x0102_0104),
        ("vadd2.u32.u32.u32 id.h1, ia, ib, ic;", [0x0001_0002, 0x0003_0004, 0xbbbb_bbbb], 0x0004_bbbb),
    ];
    for (body, operands, wanted) in cases {
        let found = compute32(body, *operands);
        assert_eq!(found, *wanted, "{body} of {operands:x?}: {found:#x}, not {wanted:#x}");
    }
}
