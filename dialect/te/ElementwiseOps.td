//===- ElementwiseOps.td - ops that compute element by element ----------------===//
//
// Operands are tensors, which broadcast, and scalars: rules value_c1 to value_c5 of the dialect.

class Te_UnaryOp<string opMnemonic, string effect, string kinds> : Te_ElementwiseOp<opMnemonic, effect, kinds> {
  let arguments = (ins Te_Value:$operand);
  let assemblyFormat = "custom<TypedOperand>($operand, type($operand)) attr-dict";
}

class Te_BinaryOp<string opMnemonic, string effect, string kinds> : Te_ElementwiseOp<opMnemonic, effect, kinds> {
  let arguments = (ins Te_Value:$lhs, Te_Value:$rhs);
  let assemblyFormat = [{
    custom<TypedOperand>($lhs, type($lhs)) `,` custom<TypedOperand>($rhs, type($rhs)) attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

def Te_AddOp : Te_BinaryOp<"add", "lhs + rhs", "kNumbers"> {
  let description = [{
    Integer arithmetic wraps.

    ```mlir
    %sum = te.add %x1, %x2
    ```
  }];
}

def Te_SubOp : Te_BinaryOp<"sub", "lhs - rhs", "kNumbers"> {
  let description = [{
    Integer arithmetic wraps.

    ```mlir
    %centred = te.sub %x, %mean
    ```
  }];
}

def Te_MulOp : Te_BinaryOp<"mul", "lhs * rhs", "kNumbers"> {
  let description = [{
    Integer arithmetic wraps.

    ```mlir
    %scaled = te.mul %x, %beta
    ```
  }];
}

def Te_DivOp : Te_BinaryOp<"div", "lhs / rhs", "kFloats"> {
  let description = [{
    Defined for floats only. Rounding, NaN and infinities follow IEEE 754.

    ```mlir
    %quotient = te.div %x1, %x2
    ```
  }];
}

def Te_MaximumOp : Te_BinaryOp<"maximum", "the larger of two", "kNumbers"> {
  let description = [{
    The result is NaN if either float operand is NaN.

    ```mlir
    %y = te.maximum %x, %low
    ```
  }];
}

def Te_MinimumOp : Te_BinaryOp<"minimum", "the smaller of two", "kNumbers"> {
  let description = [{
    The result is NaN if either float operand is NaN.

    ```mlir
    %y = te.minimum %x, %high
    ```
  }];
}

def Te_LeakyReluOp : Te_BinaryOp<"leaky_relu", "lhs if it is not negative, else lhs * rhs", "kFloats"> {
  let description = [{
    `rhs` is the slope, usually a scalar.

    ```mlir
    %y = te.leaky_relu %x, %slope
    ```
  }];
}

def Te_SwishOp : Te_BinaryOp<"swish", "lhs / (1 + exp(-rhs * lhs))", "kFloats"> {
  let description = [{
    Multiplies `lhs` by the sigmoid of `rhs * lhs`; `rhs` is the steepness. The op is evaluated as the quotient above,
    which stays accurate where the sigmoid alone would underflow.

    ```mlir
    %y = te.swish %x, %beta
    ```
  }];
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

def Te_NegOp : Te_UnaryOp<"neg", "-operand", "kNumbers"> {
  let description = [{
    Changes the sign of a zero, too. Integer arithmetic wraps.

    ```mlir
    %y = te.neg %x
    ```
  }];
}

def Te_AbsOp : Te_UnaryOp<"abs", "the absolute value of the operand", "kNumbers"> {
  let description = [{
    Returns the smallest signed integer unchanged, because its absolute value does not fit the type.

    ```mlir
    %y = te.abs %x
    ```
  }];
}

def Te_ReluOp : Te_UnaryOp<"relu", "the operand, or zero if it is negative", "kNumbers"> {
  let description = [{
    Returns NaN for NaN.

    ```mlir
    %y = te.relu %sum
    ```
  }];
}

def Te_ExpOp : Te_UnaryOp<"exp", "e raised to the power of the operand", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.exp %x
    ```
  }];
}

def Te_LogOp : Te_UnaryOp<"log", "the natural logarithm", "kFloats"> {
  let description = [{
    Returns -infinity for zero and NaN for negative operands.

    ```mlir
    %y = te.log %x
    ```
  }];
}

def Te_SqrtOp : Te_UnaryOp<"sqrt", "the square root", "kFloats"> {
  let description = [{
    Returns NaN for negative operands.

    ```mlir
    %y = te.sqrt %x
    ```
  }];
}

def Te_RsqrtOp : Te_UnaryOp<"rsqrt", "one divided by the square root", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.rsqrt %x
    ```
  }];
}

def Te_ReciprocalOp : Te_UnaryOp<"reciprocal", "one divided by the operand", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.reciprocal %x
    ```
  }];
}

def Te_SigmoidOp : Te_UnaryOp<"sigmoid", "1 / (1 + exp(-operand))", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.sigmoid %x
    ```
  }];
}

def Te_TanhOp : Te_UnaryOp<"tanh", "the hyperbolic tangent", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.tanh %x
    ```
  }];
}

def Te_ErfOp : Te_UnaryOp<"erf", "the error function", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.erf %x
    ```
  }];
}

def Te_GeluOp : Te_ElementwiseOp<"gelu", "operand * Phi(operand), Phi the normal distribution function", "kFloats"> {
  let description = [{
    The form names the formula. `erf`: `x / 2 * (1 + erf(x / sqrt(2)))`. `tanh`:
    `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.

    ```mlir
    %y = te.gelu erf %x
    ```
  }];
  let arguments = (ins Te_Value:$operand, Te_GeluProp:$form);
  let assemblyFormat = "$form custom<TypedOperand>($operand, type($operand)) attr-dict";
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

def Te_CompareOp : Te_Op<"compare", "the truth value of a comparison of lhs with rhs", [Te_Elementwise]> {
  let description = [{
    The result has elements of type `i1`. If an operand is NaN, `ne` is true and every other predicate is false. +0 and
    -0 are equal.

    ```mlir
    %less = te.compare lt %x1, %x2
    ```
  }];
  let arguments = (ins Te_PredicateProp:$predicate, Te_Value:$lhs, Te_Value:$rhs);
  let assemblyFormat = [{
    $predicate custom<TypedOperand>($lhs, type($lhs)) `,` custom<TypedOperand>($rhs, type($rhs)) attr-dict
  }];
}

def Te_SelectOp : Te_Op<"select", "the second operand if the first is true, else the third", [Te_Elementwise]> {
  let description = [{
    * (select_c1) the condition has elements of type `i1`

    ```mlir
    %y = te.select %condition, %x1, %x2
    ```
  }];
  let arguments = (ins Te_Value:$condition, Te_Value:$lhs, Te_Value:$rhs);
  let assemblyFormat = [{
    custom<TypedOperand>($condition, type($condition)) `,` custom<TypedOperand>($lhs, type($lhs)) `,`
    custom<TypedOperand>($rhs, type($rhs)) attr-dict
  }];
}

def Te_CastOp : Te_Op<"cast", "the operand converted to another element type", [Te_Elementwise]> {
  let description = [{
    The target type is an element type, or a tensor type such as `!y`, whose element type is used. `round` selects how a
    value that the type cannot represent is rounded; the default is to nearest, ties to even.

    Values outside the range of the target type are converted as follows:

    * float to integer: the result saturates, and NaN becomes 0
    * integer to integer: the result wraps; with `saturate` it is the nearest value of the target type
    * float to float: the result is infinite, or the largest finite number where the rounding mode yields that; with
      `saturate` it is the largest finite number

    A number converts to true unless it is zero, and true converts to 1.

    * (cast_c1) the type is a number type, or a tensor type with such elements
    * (cast_c2) `round` is given only for a cast that can round: from a float to an integer, or to a float type with
      less precision or range
    * (cast_c3) `unsigned` is given only with an integer type; it marks an unsigned type in payloads, where types are
      signless

    ```mlir
    %y = te.cast %x to !y round trunc
    ```
  }];
  let arguments = (ins Te_Value:$operand, TypeAttr:$element, Te_RoundingProp:$rounding, UnitProp:$saturate,
                       UnitProp:$isUnsigned);
  let assemblyFormat = [{
    custom<TypedOperand>($operand, type($operand)) `to` custom<Element>($element) (`round` $rounding^)?
    (`saturate` $saturate^)? (`unsigned` $isUnsigned^)? attr-dict
  }];
}
