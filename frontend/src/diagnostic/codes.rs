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
    (
        "regular-inputs-only",
        "keys, `hold`, `on` and rows counted back need inputs this version does not read",
    ),
    ("time-variable", "a time variable not called `t`"),
    // names
    ("unknown-name", "a name that stands for nothing"),
    ("unknown-function", "a call of something that is no function"),
    ("unknown-field", "a field that is not there"),
    ("unknown-type", "a type that is not there"),
    ("unknown-argument", "a named argument that is not there"),
    ("unknown-module", "a module that is not there, or is not used here"),
    ("module-item", "something other than a function in a module"),
    ("cyclic-use", "a module that uses itself"),
    ("duplicate-name", "a name given twice"),
    ("duplicate-output", "two outputs of one name"),
    ("reserved-name", "a name that has a meaning already"),
    ("cyclic-definition", "a definition that depends on itself"),
    ("recursive-function", "a function that calls itself"),
    ("unused-name", "a stream, function or `use` that nothing uses (warning)"),
    ("no-output", "a program that puts nothing out"),
    // types
    ("type-mismatch", "a value of a type that is not taken here"),
    ("null-type", "a `null` whose type cannot be told"),
    ("compare-with-null", "`x == null`"),
    ("struct-value", "a row of fields where a single value is needed"),
    ("empty-struct", "a row without fields"),
    ("wrong-argument-count", "too many or too few arguments"),
    ("not-constant", "a value that must be constant and is not"),
    // time
    ("time-index", "a time index of an unknown form"),
    ("not-a-stream", "a time index or window on something that is no stream"),
    ("period-not-positive", "a period of zero or less"),
    ("window-outside-reducer", "a window that nothing reduces"),
    ("reducer-without-window", "a reducer over something that is no window"),
    ("window-mismatch", "different windows in one reducer"),
    ("empty-window", "a window that never has a row"),
    ("no-grid", "a definition `[t]` that names no stream"),
    ("grid-mismatch", "periods that are no multiples of the finest"),
    ("offset-mismatch", "streams of one period on different offsets"),
];
