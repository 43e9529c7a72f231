//===- ShapeOps.td - constants, broadcasts, reductions --------------------------===//

def Te_ConstantOp : Te_Op<"constant", "a number"> {
  let description = [{
    A scalar. It takes part at the precision of the computation, not at that of a stored type: `te.constant 0.1` in a body
    that computes in f32 is the f32 next to 0.1 for rows of f16 too. Without a type a number with a point or exponent,
    `inf` and `nan` are f32, whole numbers i64. `#NAME` is the value of an attribute that is bound at compile time.

    * (constant_c1) the type is that of a number, or of a tensor of them, and can hold the value

    ```mlir
    %half = te.constant 0.5
    %one = te.constant 1.0 : !T
    %epsilon = te.constant #epsilon
    ```
  }];
  // A float is kept as f64 whatever the type, an integer as i64.
  let arguments = (ins TypedAttrInterface:$value, TypeAttr:$element);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Te_BroadcastOp : Te_Op<"broadcast", "the operand in the shape of another"> {
  let description = [{
    Elementwise ops broadcast by themselves; this op serves a result whose shape none of them has.

    * (broadcast_c1) the shape of `like` can hold the operand: aligned to the right, sizes are equal or the operand's is 1

    ```mlir
    %y = te.broadcast %row to %x
    ```
  }];
  let arguments = (ins Te_Value:$operand, Te_Value:$like);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `to` custom<TypedOperand>($like, type($like)) attr-dict
  }];
}

class Te_ReduceOp<string kind, string effect, string kinds, string more> : Te_Op<"reduce_" # kind, effect # " over some axes"> {
  let arguments = (ins Te_Value:$operand, DenseI64ArrayAttr:$axes, UnitProp:$keep);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `axes` custom<Axes>(ref(type($operand)), $axes) (`keep` $keep^)? attr-dict
  }];
  let description = [{
    Axes are the contract's, negative ones count from the last, and names stand for their dimensions. The reduced dimensions are gone, with `keep` they are static 1, so that the result
    broadcasts against the operand. }] # more # [{

    * (axes_c1) the operand is a tensor
    * (axes_c2) there is an axis, and each is a dimension of the operand, named once
    * (axes_c3) in a body, each is one that the contract lets a body reduce

    ```mlir
    %r = te.reduce_}] # kind # [{ %x axes [-1] keep
    ```
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::opc::te::inferReduction(location, getOperationName(), adaptor.getOperand(), adaptor.getAxes(),
                                       adaptor.getKeep(), ::opc::te::Kinds::}] # kinds # [{, types);
    }
  }];
}

def Te_ReduceSumOp : Te_ReduceOp<"sum", "the sum", "kNumbers", "The sum is kept in the type the contract accumulates in.">;
def Te_ReduceMeanOp : Te_ReduceOp<"mean", "the mean", "kFloats", "The sum divided by the number of elements; NaN of none.">;
def Te_ReduceMaxOp : Te_ReduceOp<"max", "the largest", "kNumbers", "NaN where one is NaN; -infinity or the smallest integer of none.">;
def Te_ReduceMinOp : Te_ReduceOp<"min", "the smallest", "kNumbers", "NaN where one is NaN; infinity or the largest integer of none.">;
