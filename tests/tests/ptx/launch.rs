//! Launches of corpus kernels: read from `launches.jsonl`, with arguments made up the same way on every machine.

use serde_json::Value;

/// What a kernel is launched with.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) source: String,
    pub(crate) kernel: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) args: Vec<Given>,
}

/// An argument.
#[derive(Debug, Clone)]
pub(crate) enum Given {
    /// A number as it is written.
    Number(String),
    /// The address of an array.
    Array {
        /// `f32`, `i8` …
        element: String,
        bytes: Vec<u8>,
    },
}

/// Every launch of the corpus.
pub(crate) fn all() -> Vec<Launch> {
    let path = tilt_tests::root().join("tests/ptx/launches.jsonl");
    let text = std::fs::read_to_string(path).expect("the launches are there");
    text.lines().map(|line| launch(&serde_json::from_str(line).expect("a line is a launch"))).collect()
}

fn launch(value: &Value) -> Launch {
    let text = |key: &str| value[key].as_str().expect("a text").to_owned();
    let extent = |key: &str| {
        let length =
            |at: usize| u32::try_from(value[key][at].as_u64().expect("a number")).expect("an extent");
        [length(0), length(1), length(2)]
    };
    let args = value["args"].as_array().expect("a list").iter().enumerate();
    Launch {
        source: text("source"),
        kernel: text("kernel"),
        grid: extent("grid"),
        block: extent("block"),
        shared: u32::try_from(value["shared"].as_u64().expect("a number")).expect("a size"),
        args: args.map(|(at, one)| given(one.as_str().expect("a text"), at as u64)).collect(),
    }
}

/// `zero:f32:16`, `iota:i32:4x5`, `random:u8:16:0:9`, or a number.
fn given(text: &str, seed: u64) -> Given {
    let words: Vec<&str> = text.split(':').collect();
    let [fill @ ("zero" | "iota" | "random"), element, shape, range @ ..] = &words[..] else {
        return Given::Number(text.to_owned());
    };
    let count: u64 = shape.split('x').map(|one| one.parse::<u64>().expect("a length")).product();
    let is_float = element.starts_with('f');
    let range: Vec<f64> = range.iter().map(|one| one.parse().expect("a number")).collect();
    let (low, high) = match range[..] {
        [low, high] => (low, high),
        _ => (0.0, if is_float { 1.0 } else { 256.0 }),
    };
    let mut state = seed + 1;
    let values = (0..count).map(|at| match *fill {
        "zero" => 0.0,
        "iota" => at as f64,
        _ => low + (high - low) * random(&mut state),
    });
    Given::Array {
        element: (*element).to_owned(),
        bytes: values.flat_map(|value| encode(element, value)).collect(),
    }
}

/// SplitMix64, as a number in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word >> 11) as f64 / (1u64 << 53) as f64
}

fn encode(element: &str, value: f64) -> Vec<u8> {
    match element {
        "f64" => value.to_le_bytes().to_vec(),
        "f32" => (value as f32).to_le_bytes().to_vec(),
        "f16" => half(value).to_le_bytes().to_vec(),
        _ => {
            let bits: usize = element[1..].parse().expect("a width");
            let whole = if value < 0.0 { value.floor() as i64 as u64 } else { value as u64 };
            whole.to_le_bytes()[..bits / 8].to_vec()
        }
    }
}

/// A value of moderate size as a half, rounded towards zero: these are inputs only.
fn half(value: f64) -> u16 {
    let bits = (value as f32).to_bits();
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    let sign = (bits >> 16 & 0x8000) as u16;
    match exponent {
        1..=30 => sign | (exponent as u16) << 10 | (bits >> 13 & 0x3ff) as u16,
        _ => sign,
    }
}

/// The bytes of a number for a parameter of so many bytes.
pub(crate) fn number(text: &str, bytes: usize, is_float: bool) -> Vec<u8> {
    let wide = match (is_float, bytes) {
        (true, 8) => text.parse::<f64>().expect("a number").to_bits(),
        (true, _) => u64::from(text.parse::<f32>().expect("a number").to_bits()),
        (false, _) => text.parse::<i128>().expect("a whole number") as u64,
    };
    wide.to_le_bytes()[..bytes.min(8)].to_vec()
}
