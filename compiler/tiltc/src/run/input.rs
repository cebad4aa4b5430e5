//! `-i NAME=FILE[,OPTION]…`: which file an input is read from, and how.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
};

use tilt::{
    Dictionary, Input, Type,
    parts::{
        exec::{self, InputKind, InputSpec, Loaded, ReadOptions, TimeForm},
        ir::tir::{Field, InputData, Query, Stamps},
    },
};

use super::{Args, read_options};
use crate::failure::Failure;

/// The value of one `-i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputArg {
    name: String,
    file: PathBuf,
    options: ReadOptions,
}

impl InputArg {
    /// Reads a value. File names need not be UTF-8.
    pub(super) fn parse(text: &OsStr) -> Result<InputArg, String> {
        let (name, rest) = named(text, "NAME=FILE[,OPTION]…")?;
        let mut parts = split(rest).into_iter();
        let file = parts.next().filter(|file| !file.is_empty());
        let file = file.ok_or_else(|| format!("no file for `{name}`"))?;
        let mut options = ReadOptions::default();
        let mut seen = BTreeSet::new();
        for part in parts {
            let option = String::from_utf8(part).map_err(|_| "the options are not UTF-8".to_owned())?;
            let key = option.split('=').next().unwrap_or_default().to_owned();
            options.set(&option)?;
            if !seen.insert(key.clone()) {
                return Err(format!("`{key}` is given twice"));
            }
        }
        Ok(InputArg { name, file: PathBuf::from(OsString::from_vec(file)), options })
    }
}

/// `NAME` and what is behind its `=`.
pub(super) fn named<'a>(text: &'a OsStr, form: &str) -> Result<(String, &'a [u8]), String> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b'=');
    let end = end.filter(|end| *end > 0).ok_or_else(|| format!("expected {form}"))?;
    let name = std::str::from_utf8(&bytes[..end]).map_err(|_| "the name is not UTF-8".to_owned())?;
    Ok((name.to_owned(), &bytes[end + 1..]))
}

/// Cuts at the commas that stand before an option; `,,` is a comma.
fn split(text: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = vec![];
    let mut part = vec![];
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b',' if after.first() == Some(&b',') => {
                part.push(b',');
                rest = &after[1..];
            }
            b',' if begins_option(after) => parts.push(std::mem::take(&mut part)),
            byte => part.push(byte),
        }
    }
    parts.push(part);
    parts
}

/// Whether this begins with `word=`, or with the word `sort` and nothing more.
fn begins_option(text: &[u8]) -> bool {
    // Names of fields may have letters of any script: what is not ASCII counts as one.
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    let (word, after) = text.split_at(text.iter().take_while(is_word).count());
    match after.first() {
        Some(b'=') => word.first().is_some_and(|first| !first.is_ascii_digit()),
        Some(b',') | None => word == b"sort",
        Some(_) => false,
    }
}

/// An input of the query with its file.
pub(super) struct Bound<'q> {
    input: &'q InputData,
    file: PathBuf,
    pub(super) options: ReadOptions,
}

/// Standard input is read once: by one input, or for the query.
pub(super) fn check_standard_input(args: &Args) -> Result<(), Failure> {
    let stdin = args.inputs.iter().filter(|arg| arg.file.as_os_str() == "-").count();
    let query_too = usize::from(args.file.path().as_os_str() == "-");
    if stdin + query_too > 1 {
        return Err(Failure::usage("standard input (-) can be only one file"));
    }
    Ok(())
}

/// Finds the file of each input.
pub(super) fn bind<'q>(query: &'q Query, args: &Args) -> Result<Vec<Bound<'q>>, Failure> {
    let declared = query.inputs.rows();
    for (at, arg) in args.inputs.iter().enumerate() {
        let name = &arg.name;
        if !declared.iter().any(|input| input.name == *name) {
            let names = list(declared.iter().map(|input| input.name.as_str()));
            return Err(Failure::usage(format!("-i {name}=…: the query has no such input; it has {names}")));
        }
        if args.inputs[..at].iter().any(|before| before.name == *name) {
            return Err(Failure::usage(format!("-i {name}=… is given twice")));
        }
    }
    declared.iter().map(|input| bound(query, input, args)).collect()
}

fn bound<'q>(query: &'q Query, input: &'q InputData, args: &Args) -> Result<Bound<'q>, Failure> {
    let name = &input.name;
    let Some(arg) = args.inputs.iter().find(|arg| arg.name == *name) else {
        return Err(Failure::usage(format!("the input `{name}` has no file: give -i {name}=FILE")));
    };
    for (field, _) in &arg.options.columns {
        let keys = if input.keyed { &query.keys[..] } else { &[] };
        let ends = input.interval.iter().flat_map(|(from, to)| [from.as_str(), to.as_str()]);
        let known = input.fields.iter().chain(keys).map(|field| field.name.as_str()).chain(ends);
        // `a` are the elements `a[0]`, `a[1]`, …
        let array = |known: &str| known.split_once('[').is_some_and(|(a, _)| a.eq_ignore_ascii_case(field));
        if !known.clone().any(|known| known.eq_ignore_ascii_case(field) || array(known)) {
            let names = list(known);
            return Err(Failure::usage(format!(
                "-i {name}=…,{field}=…: `{name}` has no such field; it has {names}"
            )));
        }
    }
    Ok(Bound { input, file: arg.file.clone(), options: read_options(&arg.options, args) })
}

/// What was read.
pub(super) struct Inputs {
    /// The data, in the order of the query.
    pub(super) inputs: Vec<Input>,
    /// The symbols of the query and of the data.
    pub(super) symbols: Dictionary,
    /// How those with rows spell their times.
    pub(super) forms: Vec<TimeForm>,
}

/// Reads all inputs of a query.
pub(super) fn read(query: &Query, bound: &[Bound<'_>]) -> Result<Inputs, Failure> {
    let mut read = Inputs { inputs: vec![], symbols: Dictionary::new(&query.symbols), forms: vec![] };
    for Bound { input, file, options } in bound {
        let fields = columns(&input.fields);
        let keys = if input.keyed { columns(&query.keys) } else { vec![] };
        let kind = match (input.stamps, &input.interval) {
            (Stamps::Every(grid), _) => InputKind::Regular(grid),
            (Stamps::Events(_), Some((from, to))) => InputKind::Interval { from, to },
            (Stamps::Events(_), None) => InputKind::Events,
        };
        let spec = InputSpec { kind, keys: &keys, fields: &fields };
        let Loaded { input, form } = exec::read(file, &spec, options, &mut read.symbols)
            .map_err(|error| Failure::Data(error.to_string()))?;
        read.inputs.push(input);
        read.forms.extend(form);
    }
    Ok(read)
}

fn columns(fields: &[Field]) -> Vec<(&str, Type)> {
    fields.iter().map(|field| (field.name.as_str(), field.ty)).collect()
}

/// Names for a message.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match quoted.is_empty() {
        true => "none".to_owned(),
        false => quoted.join(", "),
    }
}

#[cfg(test)]
mod tests;
