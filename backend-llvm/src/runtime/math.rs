//! The transcendental functions, one value at a time.
//!
//! They come from the `libm` crate, which the interpreter uses as well: results agree to the last bit. To LLVM they are
//! opaque symbols, `tilt_math_exp_f64`, so that it cannot replace them by a library of its own.

/// A function of the runtime: what it is called, how many arguments it takes, and where it is.
struct Entry {
    symbol: &'static str,
    address: usize,
}

macro_rules! table {
    ($($name:literal / 1 = $single:ident, $double:ident;)* | $($name2:literal / 2 = $single2:ident, $double2:ident;)*) => {
        const NAMES: &[(&str, u32)] = &[$(($name, 1),)* $(($name2, 2),)*];

        fn table() -> Vec<Entry> {
            vec![
                $(Entry { symbol: concat!("tilt_math_", $name, "_f32"), address: {
                    extern "C" fn call(x: f32) -> f32 { libm::$single(x) }
                    call as *const () as usize
                } },
                Entry { symbol: concat!("tilt_math_", $name, "_f64"), address: {
                    extern "C" fn call(x: f64) -> f64 { libm::$double(x) }
                    call as *const () as usize
                } },)*
                $(Entry { symbol: concat!("tilt_math_", $name2, "_f32"), address: {
                    extern "C" fn call(x: f32, y: f32) -> f32 { libm::$single2(x, y) }
                    call as *const () as usize
                } },
                Entry { symbol: concat!("tilt_math_", $name2, "_f64"), address: {
                    extern "C" fn call(x: f64, y: f64) -> f64 { libm::$double2(x, y) }
                    call as *const () as usize
                } },)*
            ]
        }
    };
}

table! {
    "exp" / 1 = expf, exp;
    "ln" / 1 = logf, log;
    "log2" / 1 = log2f, log2;
    "log10" / 1 = log10f, log10;
    "sin" / 1 = sinf, sin;
    "cos" / 1 = cosf, cos;
    "tan" / 1 = tanf, tan;
    "asin" / 1 = asinf, asin;
    "acos" / 1 = acosf, acos;
    "atan" / 1 = atanf, atan;
    "sinh" / 1 = sinhf, sinh;
    "cosh" / 1 = coshf, cosh;
    "tanh" / 1 = tanhf, tanh;
    |
    "pow" / 2 = powf, pow;
    "atan2" / 2 = atan2f, atan2;
    "fmod" / 2 = fmodf, fmod;
}

/// Name and address of every function, in both precisions.
pub(crate) fn symbols() -> impl Iterator<Item = (&'static str, usize)> {
    table().into_iter().map(|entry| (entry.symbol, entry.address))
}

/// Symbol and arity of every function, and whether it is in double precision.
pub(crate) fn signatures() -> impl Iterator<Item = (String, u32, bool)> {
    NAMES.iter().flat_map(|(name, arity)| {
        [("f32", false), ("f64", true)].map(|(ty, double)| (format!("tilt_math_{name}_{ty}"), *arity, double))
    })
}

/// How many arguments the function called `name` takes; none if there is no such function.
pub(crate) fn arity(name: &str) -> Option<u32> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, arity)| *arity)
}
