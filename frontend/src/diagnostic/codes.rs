//! The table of diagnostic codes.

/// Every code a diagnostic can carry, with its meaning. `docs/language.md` explains each one, and a test keeps the
/// two lists equal.
pub const CODES: &[(&str, &str)] = &[
    // tokens
    ("unexpected-character", "a character that no token begins with"),
    ("foreign-operator", "an operator of another language, such as `&&`"),
    ("string-literal", "a quoted text; the language has no strings"),
    ("block-comment", "a `/*` comment; comments begin with `//`"),
    ("malformed-number", "a number, duration or time literal that is not one"),
    ("literal-out-of-range", "a literal that does not fit its type"),
    ("source-too-large", "a source text of 4 GiB or more"),
    ("comment-swallows-operand", "a comment that may have been meant as a division (warning)"),
    // shape
    ("syntax", "something else was expected here"),
    ("unclosed-bracket", "a bracket that is never closed"),
    ("unmatched-bracket", "a closing bracket that nothing opened"),
    ("nesting-too-deep", "brackets or operators nested too deeply"),
    ("chained-comparison", "`a < b < c`"),
    ("period-not-duration", "a period or offset that is not a duration"),
    ("regular-inputs-only", "keys, `hold`, `on` and rows counted back need inputs this version does not read"),
    ("time-variable", "a time variable not called `t`"),
];
