//! Inlining: a look-up of a definition becomes the definition's own body.
//!
//! ```text
//! def @twice {value: f64} every 1s offset 0s {        def @d {value: f64} every 1s offset 0s {
//!   %0 = at x.v[t] : f64                                %0 = at x.v[t-5s] : f64
//!   %1 = add %0, %0 : f64                               %1 = add %0, %0 : f64
//!   yield %1                                       →    %2 = at x.v[t] : f64
//! }                                                     %3 = sub %1, %2 : f64
//! def @d {value: f64} every 1s offset 0s {              yield %3
//!   %0 = at twice.value[t-5s] : f64                   }
//!   %1 = at x.v[t] : f64
//!   %2 = sub %0, %1 : f64
//!   yield %2
//! }
//! ```
//!
//! It is done where the look-up lands on stamps of the definition (see [`super::lookups`]) and
//!
//! - the body is light: no reduction, few instructions. Computing it again is cheaper than storing it; or
//! - only this one body looks at the definition, at `[t]` and on the same grid: each of its values is computed once, as before.
//!
//! Row bodies of reductions are left to [`fuse`](super::FUSE). The inlined definition stays; [`dce`](super::DCE) takes it
//! away if nobody needs it any more.

use tilt_ir::{
    entity::SideTable,
    tir::{Def, DefData, Index, Query, Source},
};

use super::{
    Pass,
    lookups::{LIGHT, for_each, reduces, replace, weight},
};

/// Inlining of definitions into the bodies that look at them.
pub const INLINE: Pass = Pass { name: "inline", about: "Look-ups of definitions become their bodies", run };

fn run(query: &mut Query) -> bool {
    let users = users(query);
    let mut changed = false;
    for user in query.defs.ids() {
        let DefData { clock, body, .. } = &query.defs[user];
        let Some(grid) = clock.grid() else { continue };
        let wanted = |def, index| {
            let body = &query.defs[def].body;
            let only_user = users[def] == Users::Only(user) && index == Index::NOW;
            only_user || (!reduces(body) && weight(body) <= LIGHT)
        };
        let new = replace(body, grid, &query.defs, wanted);
        changed |= new != *body;
        query.defs[user].body = new;
    }
    changed
}

/// Who looks at a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Users {
    None,
    /// One definition, outside its row bodies, on the same grid, at `[t]`.
    Only(Def),
    Many,
}

fn users(query: &Query) -> SideTable<Def, Users> {
    let mut users = SideTable::new(Users::None);
    for output in &query.outputs {
        users[output.def] = Users::Many;
    }
    for (user, data) in query.defs.iter() {
        for_each(&data.body, &mut |look| {
            let Source::Def(def) = look.source else {
                return;
            };
            let same_grid = query.defs[def].grid() == data.grid();
            let same_row = !look.in_row && look.index == Index::NOW && same_grid;
            users[def] = match users[def] {
                Users::None if same_row => Users::Only(user),
                Users::Only(other) if same_row && other == user => Users::Only(user),
                Users::None | Users::Only(_) | Users::Many => Users::Many,
            };
        });
    }
    users
}
