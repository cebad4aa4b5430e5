//! Building MLIR operations one after the other.
//!
//! The [`Builder`] stands at the end of one block and knows the place in the source that it builds for. Values are either
//! scalars or vectors; their MLIR type says which, so most operations are built alike for both.

use crate::error::Error;
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Operation, Region, RegionLike, Type,
        Value, ValueLike,
        attribute::{DenseElementsAttribute, IntegerAttribute},
        operation::{OperationBuilder, OperationLike},
        r#type::IntegerType,
    },
};
use mlir_sys::{mlirShapedTypeGetDimSize, mlirTypeIsAVector};

/// An MLIR value. All values live as long as the module, which is dropped before the context.
pub(crate) type V<'c> = Value<'c, 'c>;

/// A named attribute, before the name is made known to the context.
pub(crate) type Attr<'c> = (&'static str, Attribute<'c>);

/// Appends operations to a block.
pub(crate) struct Builder<'c> {
    context: &'c Context,
    location: Location<'c>,
    block: BlockRef<'c, 'c>,
}

impl<'c> Builder<'c> {
    /// A builder at the end of `block`.
    pub(crate) fn new(context: &'c Context, block: BlockRef<'c, 'c>) -> Builder<'c> {
        let location = Location::unknown(context);
        Builder { context, location, block }
    }

    /// The context that everything is built in.
    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// The block that operations are appended to.
    pub(crate) fn block(&self) -> BlockRef<'c, 'c> {
        self.block
    }

    /// Where the next operations come from in the source.
    pub(crate) fn set_location(&mut self, location: Location<'c>) {
        self.location = location;
    }

    /// Builds an operation, unattached.
    fn operation(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[Attr<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<Operation<'c>, Error> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .map_err(|_| Error::Program(format!("`{name}` could not be built")))
    }

    /// Appends an operation and gives its results.
    pub(crate) fn build(
        &mut self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[Attr<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<Vec<V<'c>>, Error> {
        let operation = self.operation(name, operands, results, attributes, regions)?;
        let placed = self.block.append_operation(operation);
        Ok(placed.results().map(Value::from).collect())
    }

    /// Appends an operation without regions that has one result.
    pub(crate) fn value(
        &mut self,
        name: &str,
        operands: &[V<'c>],
        result: Type<'c>,
        attributes: &[Attr<'c>],
    ) -> Result<V<'c>, Error> {
        let results = self.build(name, operands, &[result], attributes, Vec::new())?;
        first(&results, name)
    }

    /// Appends an operation without regions and results.
    pub(crate) fn effect(
        &mut self,
        name: &str,
        operands: &[V<'c>],
        attributes: &[Attr<'c>],
    ) -> Result<(), Error> {
        self.build(name, operands, &[], attributes, Vec::new()).map(|_| ())
    }

    /// An operation whose result is of the type of its operands.
    pub(crate) fn same(&mut self, name: &str, operands: &[V<'c>]) -> Result<V<'c>, Error> {
        let ty = first(operands, name)?.r#type();
        self.value(name, operands, ty, &[])
    }

    /// Inserts an operation with one result at `position` of another block.
    pub(crate) fn value_at(
        &mut self,
        block: BlockRef<'c, 'c>,
        position: usize,
        (name, operands, result, attributes): (&str, &[V<'c>], Type<'c>, &[Attr<'c>]),
    ) -> Result<V<'c>, Error> {
        let operation = self.operation(name, operands, &[result], attributes, Vec::new())?;
        let placed = block.insert_operation(position, operation);
        let results: Vec<_> = placed.results().map(Value::from).collect();
        first(&results, name)
    }

    /// Begins a region of one block, with parameters of these types, and goes into it: until [`Builder::close`] operations
    /// are appended there.
    pub(crate) fn open(&mut self, params: &[Type<'c>]) -> (Region<'c>, Vec<V<'c>>, Outer<'c>) {
        let params: Vec<_> = params.iter().map(|ty| (*ty, self.location)).collect();
        let region = Region::new();
        let block = region.append_block(Block::new(&params));
        // SAFETY: the block belongs to the region, which the caller gives to an operation that lives as long as the
        // module; moving the region does not move the block.
        let block: BlockRef<'c, 'c> = unsafe { BlockRef::from_raw(block.to_raw()) };
        let arguments = (0..block.argument_count())
            .filter_map(|index| block.argument(index).ok())
            .map(Value::from)
            .collect();
        let outer = Outer { block: self.block, location: self.location };
        self.block = block;
        (region, arguments, outer)
    }

    /// Ends the block that [`Builder::open`] began, and goes back to where the builder stood.
    pub(crate) fn close(
        &mut self,
        outer: Outer<'c>,
        terminator: &str,
        operands: &[V<'c>],
    ) -> Result<(), Error> {
        let done = self.effect(terminator, operands, &[]);
        self.block = outer.block;
        self.location = outer.location;
        done
    }

    /// The integer type of `bits` bits.
    pub(crate) fn int(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.context, bits).into()
    }

    /// An attribute of an integer type.
    pub(crate) fn int_attribute(&self, bits: u32, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.int(bits), value).into()
    }

    /// A scalar integer constant; negative values are sign extended.
    pub(crate) fn int_constant(&mut self, bits: u32, value: i64) -> Result<V<'c>, Error> {
        let attribute = self.int_attribute(bits, value);
        self.constant(self.int(bits), attribute)
    }

    /// An `i64` constant.
    pub(crate) fn i64(&mut self, value: i64) -> Result<V<'c>, Error> {
        self.int_constant(64, value)
    }

    /// A constant of the shape of `like`, every lane `value`.
    pub(crate) fn int_like(&mut self, like: V<'c>, value: i64) -> Result<V<'c>, Error> {
        let ty = like.r#type();
        match lanes_of(ty) {
            None => {
                let attribute = IntegerAttribute::new(ty, value).into();
                self.constant(ty, attribute)
            }
            Some(_) => {
                let element = element_of(ty);
                let scalar = IntegerAttribute::new(element, value).into();
                let splat = DenseElementsAttribute::splat(ty, scalar).into();
                self.constant(ty, splat)
            }
        }
    }

    /// A constant from its attribute.
    pub(crate) fn constant(&mut self, ty: Type<'c>, attribute: Attribute<'c>) -> Result<V<'c>, Error> {
        self.value("arith.constant", &[], ty, &[("value", attribute)])
    }
}

/// Where a builder stood before it entered a region.
pub(crate) struct Outer<'c> {
    block: BlockRef<'c, 'c>,
    location: Location<'c>,
}

/// How many lanes a vector type has; none for a scalar type.
pub(crate) fn lanes_of(ty: Type<'_>) -> Option<u32> {
    use melior::ir::TypeLike;
    // SAFETY: the type is live, and asked for a dimension only if it is a vector; all our vectors have one.
    unsafe {
        mlirTypeIsAVector(ty.to_raw())
            .then(|| u32::try_from(mlirShapedTypeGetDimSize(ty.to_raw(), 0)).unwrap_or(0))
    }
}

/// The type of one lane of a vector type; a scalar type itself.
pub(crate) fn element_of<'c>(ty: Type<'c>) -> Type<'c> {
    use melior::ir::TypeLike;
    match lanes_of(ty) {
        None => ty,
        // SAFETY: the type is a live vector type, and so is its element type.
        Some(_) => unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(ty.to_raw())) },
    }
}

fn first<'c>(values: &[V<'c>], name: &str) -> Result<V<'c>, Error> {
    values.first().copied().ok_or_else(|| Error::Program(format!("`{name}` lacks a value")))
}
