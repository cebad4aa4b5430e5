//! Kernels with tokens exchanged, dropped and replaced: an error, a fault or a result, never a panic.

use proptest::prelude::*;
use ptx_emulator::{Arg, Checks, Convergence, Device, LaunchConfig, Seeded};

const SEED: &str = "
.version 8.6
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic [ ] ;
.shared .align 8 .b8 s [ 256 ] ;
.shared .align 8 .b64 bar ;
.const .align 4 .u32 fixed [ 4 ] = { 1 , 2 , 3 , 4 } ;
.global .align 8 .u64 table [ 2 ] = { f , f } ;
.func ( .param .b32 r ) f ( .param .b32 x ) { .reg .b32 a ; .reg .pred p ; ld.param.b32 a , [ x ] ; setp.gt.s32 p , a , 3 ;
  @p bra deep ; add.s32 a , a , 1 ; st.param.b32 [ r ] , a ; ret ;
  deep : sub.s32 a , a , 2 ; { .param .b32 y ; .param .b32 z ; st.param.b32 [ y ] , a ; call ( z ) , f , ( y ) ; ld.param.b32 a , [ z ] ; }
  st.param.b32 [ r ] , a ; ret ; }
.entry k ( .param .u64 data , .param .u32 count , .param .align 8 .b8 wide [ 16 ] ) {
  .reg .b32 t , a , b , c , m ; .reg .b64 d , n , e , q ; .reg .b16 h ; .reg .pred p , u ; .reg .f32 x , y ; .reg .f64 v ; .reg .b128 w ;
  .local .align 8 .b8 l [ 32 ] ;
  ld.param.u64 d , [ data ] ; ld.param.u32 c , [ count ] ; mov.u32 t , %tid.x ; mul.wide.u32 n , t , 4 ; add.s64 e , d , n ;
  mov.u32 m , s ; mad.lo.u32 m , t , 4 , m ; ld.global.u32 a , [ e ] ; st.shared.u32 [ m ] , a ; bar.sync 0 ;
  setp.lt.u32 p , t , 7 ; @p bra small ; shfl.sync.bfly.b32 b | u , a , 1 , 31 , -128 ; bra both ;
  small : mov.u32 b , 5 ; both : bar.warp.sync -1 ; vote.sync.ballot.b32 b , p , -1 ; redux.sync.add.s32 b , b , -1 ;
  cvt.rn.f32.s32 x , b ; fma.rn.ftz.f32 y , x , 0f3F000000 , x ; cvt.f64.f32 v , y ; div.rp.f64 v , v , 0d4008000000000000 ;
  cvt.rzi.s32.f64 b , v ; add.cc.u32 a , a , b ; addc.u32 a , a , 0 ; bfe.s32 a , a , 3 , 9 ; bfi.b32 a , b , a , 4 , 8 ; prmt.b32 a , a , b , 0x3210 ;
  shf.l.wrap.b32 a , a , b , c ; lop3.b32 a , a , b , c , 0xE8 ; cvt.u16.u32 h , a ; mov.b32 a , { h , h } ; st.local.u32 [ l + 4 ] , a ;
  ld.local.u32 b , [ l + 4 ] ; mov.b128 w , { d , e } ; mov.b128 { q , e } , w ; atom.global.add.u32 b , [ d + 64 ] , 1 ; red.shared.max.s32 [ s ] , b ;
  atom.global.cas.b32 b , [ d + 68 ] , b , c ; ld.volatile.global.u32 b , [ d + 72 ] ; membar.gl ; isspacep.shared u , e ; cvta.shared.u64 q , s ; ld.u32 b , [ q ] ;
  cp.async.ca.shared.global [ m + 128 ] , [ d ] , 4 ; cp.async.commit_group ; cp.async.wait_group 0 ;
  setp.eq.u32 p , t , 0 ; @p mbarrier.init.shared.b64 [ bar ] , 32 ; bar.sync 0 ; mbarrier.arrive.shared.b64 q , [ bar ] ;
  { .param .b32 y ; .param .b32 z ; st.param.b32 [ y ] , t ; ld.global.u64 q , [ table ] ; shape : .callprototype ( .param .b32 _ ) _ ( .param .b32 _ ) ;
    call ( z ) , q , ( y ) , shape ; ld.param.b32 b , [ z ] ; }
  ts : .branchtargets one , two ; and.b32 c , t , 1 ; brx.idx c , ts ; one : add.u32 b , b , 1 ; two : mov.u32 c , 0 ;
  again : add.u32 c , c , 1 ; setp.lt.u32 p , c , t ; @p bra again ; bar.red.popc.u32 c , 0 , p ;
  ldmatrix.sync.aligned.m8n8.x1.shared.b16 { b } , [ s ] ; alloca.u64 q , 16 , 8 ; st.local.u64 [ q ] , q ;
  @p exit ; st.global.u32 [ e ] , b ; st.shared.v2.u32 [ dynamic ] , { a , b } ; ret ;
}";

const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "7",
    "16",
    "31",
    "32",
    "64",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "0x7fff",
    "12345678901",
];

fn run(text: &str, seed: u64) {
    let Ok(module) = tilt_backend_ptx::parse(text) else { return };
    let mut device = Device::new();
    let Ok(loaded) = device.load(&module, text) else { return };
    let data = device.alloc(256);
    let _ = device.write(data, &[3; 256]);
    let sizes = loaded.parameters("k").unwrap_or_default();
    let args = [Arg::from(data), Arg::from(5u32), Arg(vec![1; 16])];
    let args = sizes
        .iter()
        .zip(args)
        .map(|(size, arg)| Arg(arg.0[..arg.0.len().min(*size as usize)].to_vec()))
        .collect();
    let mut config = LaunchConfig::new([2, 1, 1], [32, 1, 1], args);
    config.dynamic_shared = 64;
    config.step_limit = 20_000;
    config.stack_limit = 1 << 14;
    if seed % 2 == 1 {
        config.convergence = Convergence::Independent;
    }
    let checks = if seed.is_multiple_of(3) { Checks::ALL } else { Checks::NONE };
    let _ = device.launch(&loaded, "k", &config, &mut Seeded::new(seed), checks);
}

#[test]
fn the_seed_itself_runs() {
    let module = tilt_backend_ptx::parse(SEED).unwrap();
    let mut device = Device::new();
    let loaded = device.load(&module, SEED).unwrap();
    assert_eq!(loaded.unsupported("k"), []);
    let data = device.alloc(256);
    device.write(data, &[3; 256]).unwrap();
    let mut config =
        LaunchConfig::new([2, 1, 1], [32, 1, 1], vec![Arg::from(data), Arg::from(5u32), Arg(vec![1; 16])]);
    config.dynamic_shared = 64;
    device
        .launch(&loaded, "k", &config, &mut Seeded::new(0), Checks::NONE)
        .unwrap_or_else(|fault| panic!("{fault}"));
}

/// What kind of token it is: most exchanges keep the kind, so that most texts still parse.
fn class(token: &str) -> u8 {
    let token = token.trim();
    let first = token.chars().next().unwrap_or(' ');
    match first {
        '0'..='9' | '-' => 0,
        'a'..='z' if token.contains('.') => 1,
        'a'..='z' => 2,
        '.' => 3,
        _ => 4,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn changed_kernels(changes in prop::collection::vec((0..16u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4), seed: u64) {
        let mut tokens: Vec<&str> = SEED.split_inclusive(char::is_whitespace).collect();
        for (kind, first, second) in changes {
            let (a, b) = (first.index(tokens.len()), second.index(tokens.len()));
            match (kind, class(tokens[a])) {
                (0, _) => tokens.swap(a, b),
                (1, _) => {
                    tokens.remove(a);
                }
                (2..8, 0) => tokens[a] = NUMBERS[second.index(NUMBERS.len())],
                (_, own) => {
                    let alike: Vec<&str> = tokens.iter().copied().filter(|one| class(one) == own).collect();
                    tokens[a] = alike[second.index(alike.len())];
                }
            }
        }
        run(&tokens.join(" "), seed);
    }
}
