//! Enumerations whose variants each have one spelling in the language.

/// Declares an enumeration with `spelling`, `from_spelling`, `ALL` and `Display`.
macro_rules! spelled {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident { $( $(#[$about:meta])* $Variant:ident = $text:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "a variant is documented by its spelling")]
        pub enum $Name { $( $(#[$about])* #[doc = concat!("`", $text, "`")] $Variant, )* }

        impl $Name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [$Name] = &[ $( $Name::$Variant, )* ];

            /// How the language spells it, without the leading dot.
            pub const fn spelling(self) -> &'static str {
                match self { $( $Name::$Variant => $text, )* }
            }

            /// The variant of that spelling.
            pub fn from_spelling(text: &str) -> Option<$Name> {
                static TABLE: std::sync::LazyLock<std::collections::HashMap<&'static str, $Name>> =
                    std::sync::LazyLock::new(|| $Name::ALL.iter().map(|one| (one.spelling(), *one)).collect());
                TABLE.get(text).copied()
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.spelling())
            }
        }
    };
}

pub(crate) use spelled;
