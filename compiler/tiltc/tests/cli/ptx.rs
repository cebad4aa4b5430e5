//! `ptx parse`, `ptx legality`, `ptx rewrite`, `ptx stats`, `ptx run`.

use crate::Folder;

/// Writes the logical index of each block, and adds what was there.
const INDEX: &str = "\
.version 7.0
.target sm_80
.address_size 64

.visible .entry index(.param .u64 out, .param .u32 by)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [by];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %nctaid.x;
	mad.lo.u32 %r4, %r3, 100, %r2;
	mad.lo.u32 %r5, %r1, 1000, %r4;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r5;
	ret;
}
";

/// Waits for a flag that another block raises.
const WAITS: &str = "\
.visible .entry waits(.param .u64 flag)
{
	.reg .pred %p;
	.reg .b32 %r;
	.reg .b64 %rd;
	ld.param.u64 %rd, [flag];
again:
	ld.volatile.global.u32 %r, [%rd];
	setp.eq.u32 %p, %r, 0;
	@%p bra again;
	ret;
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("index.ptx", INDEX);
    folder.write("both.ptx", format!("{INDEX}{WAITS}"));
    let head: String = INDEX.lines().take(4).map(|line| format!("{line}\n")).collect();
    folder.write("waits.ptx", head + WAITS);
    folder
}

#[test]
fn parse_prints_what_reads_back() {
    let folder = folder();
    let printed = folder.tiltc("ptx parse index.ptx").stdout;
    folder.write("again.ptx", &printed);
    folder.tiltc("ptx parse again.ptx").is(&printed);
    folder.tiltc("ptx parse --check index.ptx").is("");
}

#[test]
fn wrong_ptx_is_1_with_its_place() {
    let folder = folder();
    folder.write("bad.ptx", INDEX.replace("ret;", "ret"));
    folder.tiltc("ptx parse bad.ptx").fails(1, "bad.ptx:19:1:");
    folder.write("bad.ptx", INDEX.replace("[%rd3]", "[%rd9]"));
    folder.tiltc("ptx legality bad.ptx").fails(1, "bad.ptx:17:2: nothing here is named `%rd9`");
    folder.write("bad.ptx", [0xff, 0xfe, 0x00, 0x41]);
    folder.tiltc("ptx stats bad.ptx").fails(1, "bad.ptx:");
    folder.tiltc("ptx stats none.ptx").fails(2, "none.ptx");
}

#[test]
fn legality_names_code_and_place() {
    let folder = folder();
    folder.tiltc("ptx legality index.ptx").is("index\n  slice    sound\n  preempt  sound\n");
    let done = folder.tiltc("ptx legality both.ptx --kernel waits");
    assert_eq!(done.code, Some(0));
    let place = "27:2: this loop goes round until another block writes what it reads here [inter-block-wait]";
    assert!(done.stdout.contains(place), "{}", done.stdout);
    let json = folder.tiltc("ptx legality both.ptx --json").stdout;
    assert!(
        json.contains("\"code\": \"inter-block-wait\"") && json.contains("\"fact\": \"no-wait\""),
        "{json}"
    );
}

#[test]
fn rewrite_writes_all_or_nothing() {
    let folder = folder();
    let done = folder.tiltc("ptx rewrite --form slice both.ptx -o out.ptx");
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "index -> index__slice, control at byte 12\n"));
    assert!(done.stderr.contains("refused: both.ptx: waits: 27:2:"), "{}", done.stderr);
    let text = folder.read("out.ptx");
    assert!(
        text.contains(".entry index(")
            && text.contains(".entry index__slice(")
            && text.contains(".entry waits(")
    );
    let before = folder.files();
    folder.tiltc("ptx rewrite --form slice waits.ptx -o no.ptx").fails(1, "no kernel can be sliced");
    folder
        .tiltc("ptx rewrite --form slice both.ptx --kernel waits -o no.ptx")
        .fails(1, "no kernel can be sliced");
    folder.tiltc("ptx rewrite --form slice both.ptx --kernel other -o no.ptx").fails(2, "no kernel `other`");
    folder.tiltc("ptx rewrite --form slice index.ptx -o nowhere/no.ptx").fails(3, "nowhere/no.ptx");
    assert_eq!(folder.files(), before);
}

#[test]
fn stats_count() {
    let folder = folder();
    let done = folder.tiltc("ptx stats index.ptx");
    for line in ["instructions       10", "special registers  %ctaid, %nctaid", "barriers           0"] {
        assert!(done.stdout.contains(line), "{}", done.stdout);
    }
}

#[test]
fn run_whole_and_in_slices() {
    let folder = folder();
    let out = "out [4]: 7400 7401 7402 7403\n";
    folder.tiltc("ptx run index.ptx --grid 4 -a zero:u32:4 -a 7").is(out);
    folder.tiltc("ptx run index.ptx --grid 4 -a by=7 -a out=zero:u32:4 --slices 3 --save out=a.npy").is(out);
    folder.tiltc("ptx run index.ptx --grid 4 -a a.npy -a 7 --order reversed --expect 0=a.npy").is(out);
    let done = folder.tiltc("ptx run index.ptx --grid 4 -a zero:u32:4 -a 8 --expect 0=a.npy");
    assert_eq!(done.code, Some(3));
    assert!(done.stderr.contains("4 elements are wrong; the first, 0,"), "{}", done.stderr);
}

#[test]
fn run_says_what_is_wrong() {
    let folder = folder();
    folder.tiltc("ptx run both.ptx -a 1").fails(2, "--kernel is needed: one of index, waits");
    folder.tiltc("ptx run index.ptx -a zero:u32:4").fails(2, "parameter 1, `by`, has no --arg");
    folder.tiltc("ptx run index.ptx -a zero:u32:4 -a 1.5").fails(2, "`1.5` is no number");
    folder.tiltc("ptx run index.ptx -a zero:u32:4 -a 4294967296").fails(2, "does not fit into 32 bits");
    folder.tiltc("ptx run index.ptx -a zero:u99:4 -a 1").fails(2, "is not zero:TYPE:SHAPE");
    folder.tiltc("ptx run index.ptx --grid 0 -a zero:u32:4 -a 1").fails(2, "above zero");
    folder.tiltc("ptx run index.ptx -a none.npy -a 1").fails(3, "none.npy");
    folder.write("bad.npy", "no array");
    folder.tiltc("ptx run index.ptx -a bad.npy -a 1").fails(3, "bad.npy");
    folder.tiltc("ptx run index.ptx --grid 9 -a zero:u32:4 -a 1").fails(3, "index.ptx");
    folder.tiltc("ptx run waits.ptx -a zero:u32:1 --slices 1").fails(1, "cannot be sliced");
}
