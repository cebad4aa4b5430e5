//! Scalar types and state spaces.

use std::fmt;

use crate::name::Name;
use crate::spelled::spelled;

spelled! {
    /// A scalar type: of a variable, or as a modifier of an instruction.
    pub enum ScalarType {
        Pred = "pred",
        B1 = "b1", B4 = "b4", B8 = "b8", B16 = "b16", B32 = "b32", B64 = "b64", B128 = "b128",
        U4 = "u4", U8 = "u8", U16 = "u16", U32 = "u32", U64 = "u64",
        S4 = "s4", S8 = "s8", S16 = "s16", S32 = "s32", S64 = "s64",
        F16 = "f16", F32 = "f32", F64 = "f64", Bf16 = "bf16", Tf32 = "tf32",
        F16x2 = "f16x2", Bf16x2 = "bf16x2", F32x2 = "f32x2", U16x2 = "u16x2", S16x2 = "s16x2",
        U8x4 = "u8x4", S8x4 = "s8x4",
        E4m3 = "e4m3", E5m2 = "e5m2", E3m2 = "e3m2", E2m3 = "e2m3", E2m1 = "e2m1", Ue8m0 = "ue8m0", Ue4m3 = "ue4m3",
        E4m3x2 = "e4m3x2", E5m2x2 = "e5m2x2", E3m2x2 = "e3m2x2", E2m3x2 = "e2m3x2", E2m1x2 = "e2m1x2", Ue8m0x2 = "ue8m0x2",
        E4m3x4 = "e4m3x4", E5m2x4 = "e5m2x4", E3m2x4 = "e3m2x4", E2m3x4 = "e2m3x4", E2m1x4 = "e2m1x4",
    }
}

impl ScalarType {
    /// Its width; `None` for predicates, which have none.
    pub fn bits(self) -> Option<u32> {
        use ScalarType as T;
        Some(match self {
            T::Pred => return None,
            T::B1 => 1,
            T::B4 | T::U4 | T::S4 | T::E2m1 => 4,
            T::E3m2 | T::E2m3 => 6,
            T::B8 | T::U8 | T::S8 | T::E4m3 | T::E5m2 | T::Ue8m0 | T::Ue4m3 | T::E2m1x2 => 8,
            T::B16 | T::U16 | T::S16 | T::F16 | T::Bf16 => 16,
            T::E4m3x2 | T::E5m2x2 | T::E3m2x2 | T::E2m3x2 | T::Ue8m0x2 | T::E2m1x4 => 16,
            T::B32 | T::U32 | T::S32 | T::F32 | T::Tf32 => 32,
            T::F16x2 | T::Bf16x2 | T::U16x2 | T::S16x2 | T::U8x4 | T::S8x4 => 32,
            T::E4m3x4 | T::E5m2x4 | T::E3m2x4 | T::E2m3x4 => 32,
            T::B64 | T::U64 | T::S64 | T::F64 | T::F32x2 => 64,
            T::B128 => 128,
        })
    }
}

spelled! {
    /// Where a variable lives, or what an access reaches.
    pub enum StateSpace {
        Reg = "reg",
        Sreg = "sreg",
        Const = "const",
        Global = "global",
        Local = "local",
        Param = "param",
        ParamEntry = "param::entry",
        ParamFunc = "param::func",
        Shared = "shared",
        SharedCta = "shared::cta",
        SharedCluster = "shared::cluster",
        Tex = "tex",
        Surf = "surf",
        /// Constant banks with a number: PTX ISA before 2.2.
        Const0 = "const[0]", Const1 = "const[1]", Const2 = "const[2]", Const3 = "const[3]", Const4 = "const[4]",
        Const5 = "const[5]", Const6 = "const[6]", Const7 = "const[7]", Const8 = "const[8]", Const9 = "const[9]",
        Const10 = "const[10]",
    }
}

/// The type of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// A scalar, or the element of a vector.
    Scalar(ScalarType),
    /// `.texref`, `.samplerref`, `.surfref`, or a type that this crate does not know.
    Opaque(Name),
}

impl Type {
    /// The scalar type, if it is one.
    pub fn scalar(&self) -> Option<ScalarType> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Opaque(_) => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::Opaque(name) => name.fmt(f),
        }
    }
}
