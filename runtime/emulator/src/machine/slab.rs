//! Things with numbers that are used again after they are gone.

use std::ops::{Index, IndexMut};

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Slab<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab { all: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    pub(crate) fn insert(&mut self, one: T) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self.all[id as usize] = Some(one);
                id
            }
            None => {
                self.all.push(Some(one));
                self.all.len() as u32 - 1
            }
        }
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<T> {
        let one = self.all.get_mut(id as usize)?.take()?;
        self.free.push(id);
        Some(one)
    }

    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        self.all.get(id as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.all.get_mut(id as usize)?.as_mut()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.all).filter(|(_, one)| one.is_some()).map(|(id, _)| id)
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;
    fn index(&self, id: u32) -> &T {
        self.get(id).expect("the number of something that is there")
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, id: u32) -> &mut T {
        self.get_mut(id).expect("the number of something that is there")
    }
}
