//! Gives comments to items, so that the formatter keeps them.
//!
//! A comment on the last line of an item trails it; every other comment before the end of an item stands before it.

use crate::ast::Program;
use crate::token::scan::Comment;
use std::iter::Peekable;

/// Attaches `comments` of `source` to the items of `program`, and notes which items are set apart by empty lines.
pub(super) fn attach(program: &mut Program, comments: &[Comment<'_>], source: &str) {
    let mut comments = comments.iter().peekable();
    let mut end = 0;
    for item in &mut program.items {
        let first =
            comments.peek().map_or(item.span.start, |comment| comment.span.start.min(item.span.start));
        item.set_apart = end > 0 && source.get(end..first as usize).is_some_and(has_empty_line);
        item.comments = take_before(&mut comments, item.span.end);
        end = item.span.end as usize;
        let same_line = |comment: &&Comment<'_>| {
            source.get(end..comment.span.start as usize).is_some_and(|text| !text.contains('\n'))
        };
        if let Some(comment) = comments.next_if(same_line) {
            item.trailing = Some(comment.node.trim_end().into());
            end = comment.span.end as usize;
        }
    }
    program.closing_comments = take_before(&mut comments, u32::MAX);
}

fn take_before<'a, 's: 'a>(
    comments: &mut Peekable<impl Iterator<Item = &'a Comment<'s>>>,
    end: u32,
) -> Vec<Box<str>> {
    std::iter::from_fn(|| comments.next_if(|comment| comment.span.start < end))
        .map(|comment| comment.node.trim_end().into())
        .collect()
}

fn has_empty_line(between: &str) -> bool {
    between.matches('\n').count() > 1
}
