//! Tokens and their errors.

use super::{Constant, Cursor, Name, TextError, Token, lex};
use crate::{Const, Type};

fn tokens(text: &str) -> Vec<Token<'_>> {
    let spanned = lex(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    spanned.into_iter().map(|spanned| spanned.token).collect()
}

fn fails(text: &str) -> String {
    lex(text).expect_err(text).to_string()
}

#[test]
fn numbers_keep_their_sign() {
    use Token::{Bits, End, Float, Ident, Int, Punct, Time, Value};
    assert_eq!(
        tokens("t-20s -> row+3 1.5e-3 -7 2e9 0x7F %12 x.0 -inf -infinite"),
        [
            Ident("t"),
            Time(-20_000_000_000),
            Punct("->"),
            Ident("row"),
            Int(3),
            Float("1.5e-3"),
            Int(-7),
            Float("2e9"),
            Bits(0x7f),
            Value(12),
            Ident("x"),
            Punct("."),
            Int(0),
            Float("-inf"),
            Punct("-"),
            Ident("infinite"),
            End
        ]
    );
}

#[test]
fn names_and_strings_read_back() {
    for name in ["plain_1", "two words", "", "1st", "a\"b\\c\n\t\r\u{1b}é", "x.y"] {
        let text = format!("@{}", Name(name));
        assert_eq!(tokens(&text), [Token::Symbol(name.to_owned()), Token::End]);
    }
}

#[test]
fn errors_have_a_place() {
    assert_eq!(fails("a // b ~\n é~"), "2:2: `é` starts no token");
    assert_eq!(fails("\n\"open"), "2:1: this string has no end");
    assert_eq!(fails("12parsecs"), "1:1: `parsecs` is not a unit of time");
    assert_eq!(fails("1.5s"), "1:1: `1.5s` is not a number");
    assert_eq!(fails("1e"), "1:1: `e` is not a unit of time");
    assert_eq!(fails("1e+"), "1:1: `1e+` is not a number");
    assert_eq!(fails("-0x1"), "1:1: `-0x1` is not the bits of a number");
    assert_eq!(fails("%99999999999"), "1:1: `%99999999999` is too large a number");
    assert!(fails(&"9".repeat(60)).ends_with("is too large a number"));
    assert_eq!(fails("\"\\q\""), "1:1: no such escape in a string");
}

#[test]
fn constants_read_back_bit_by_bit() -> Result<(), TextError> {
    let payload = f64::NAN.to_bits() | 5;
    let samples = [
        (Const::Bool(true), Type::Bool),
        (Const::Int(-128), Type::I8),
        (Const::Int(u64::MAX.into()), Type::U64),
        (Const::Int(i64::MIN.into()), Type::Time),
        (Const::Int(90_000_000_000), Type::Duration),
        (Const::f32(0.1), Type::F32),
        (Const::f32(f32::from_bits(1)), Type::F32),
        (Const::F32(0xffc0_0001), Type::F32),
        (Const::f64(-0.0), Type::F64),
        (Const::f64(f64::MAX), Type::F64),
        (Const::f64(f64::NEG_INFINITY), Type::F64),
        (Const::f64(f64::INFINITY), Type::F64),
        (Const::f64(f64::NAN), Type::F64),
        (Const::F64(payload), Type::F64),
    ];
    for (constant, ty) in samples {
        let text = Constant(constant, ty).to_string();
        assert_eq!(Cursor::new(&text)?.literal()?.of_type(ty)?, constant, "{text}");
    }
    assert_eq!(Constant(Const::f32(0.1), Type::F32).to_string(), "0.1");
    assert_eq!(
        Cursor::new(" 300 : u8")?.literal()?.of_type(Type::U8).map_err(|e| e.to_string()),
        Err("1:2: `300` is not a value of type u8".to_owned())
    );
    Ok(())
}

#[test]
fn a_cursor_says_what_it_wanted() -> Result<(), TextError> {
    let mut cursor = Cursor::new("def 3")?;
    assert_eq!(cursor.expect("def"), Ok(()));
    let error = cursor.symbol().expect_err("an integer is no name");
    assert_eq!(error.to_string(), "1:5: expected a name with `@`, found `3`");
    assert!(cursor.int::<u8>() == Ok(3) && cursor.at_end() && cursor.bump() == Token::End);
    Ok(())
}
