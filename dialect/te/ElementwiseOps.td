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

def Te_DivOp : Te_BinaryOp<"div", "lhs / rhs", "kNumbers"> {
  let description = [{
    Rounding, NaN and infinities of floats follow IEEE 754. The quotient of integers is truncated; it is 0 if
    `rhs` is 0, and the least integer divided by -1 is itself.

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

def Te_ModOp : Te_ElementwiseOp<"mod", "the remainder of lhs / rhs", "kNumbers"> {
  let description = [{
    `lhs - q * rhs`, where `q` is the quotient rounded as the form says. `floor`: the result has the sign of `rhs`, as
    with `%` of Python. `trunc`: the result has the sign of `lhs`, as with `fmod` of C. The result is the exact
    remainder, rounded once; with `floor`, `rhs` is first added to a remainder of the other sign.

    NaN if `lhs` is infinite, if `rhs` is zero, or if either is NaN. If `rhs` is infinite and `lhs` is not, the quotient
    is a fraction: the result is `lhs`, or with `floor` `rhs` where their signs differ.

    The remainder of integers is 0 where `rhs` is 0.

    The CPU supports all operands, and the AI Core all integers and all float16 operands; in float32 it computes the
    quotient in two steps of 11 bits, and returns NaN where `|lhs / rhs|` is 2^22 or more.

    ```mlir
    %y = te.mod floor %x1, %x2
    ```
  }];
  let arguments = (ins Te_ModProp:$form, Te_Value:$lhs, Te_Value:$rhs);
  let assemblyFormat = [{
    $form custom<TypedOperand>($lhs, type($lhs)) `,` custom<TypedOperand>($rhs, type($rhs)) attr-dict
  }];
}

def Te_PowOp : Te_BinaryOp<"pow", "lhs raised to the power of rhs", "kNumbers"> {
  let description = [{
    1 where `rhs` is zero or `lhs` is 1, even beside a NaN. A negative `lhs` with an exponent that is not a whole number
    gives NaN. Zeros and infinities give their limits; both zeros count as positive.

    Powers of integers are products that wrap. Those with a negative exponent are truncated, as a quotient is: 0, unless
    `lhs` is 1 or -1; of 0, too, they are 0.

    The AI Core computes `exp(rhs * log |lhs|)` in float32: its error grows to `|rhs * log |lhs||` units in the last place.
    Powers whose exponent is the constant -1, 1, 2 or, in float32, 3 are quotients and products on all devices, and
    those of tensors of integers whose exponent is a constant of 0 or more are products.

    ```mlir
    %y = te.pow %x, %exponent
    ```
  }];
}

def Te_FoldOp : Te_Op<"fold", "combines the tensors of an input that has a count"> {
  let description = [{
    An input with `count: n` stands for n tensors, and the body is written for any n. Elementwise ops compute with each
    of them: `te.mul %x, %half` has n results. A fold combines n values into one, beginning with the first: `te.fold add
    %x` of three is `te.add` of the third to the sum of the first two. The fold of one tensor is that tensor.

    * (fold_c1) the operand is an input with a count, or computed elementwise from one
    * (fold_c2) values of such an input are operands only of elementwise ops, `te.fold`, `te.concat` and `te.stack`,
      and are not results of the body

    ```mlir
    %y = te.fold maximum %x
    ```
  }];
  let arguments = (ins Te_FoldProp:$form, Te_Value:$operand);
  let assemblyFormat = "$form custom<TypedOperand>($operand, type($operand)) attr-dict";
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

def Te_SignOp : Te_UnaryOp<"sign", "-1, 0 or 1, as the operand is negative, zero or positive", "kNumbers"> {
  let description = [{
    Returns NaN for NaN.

    ```mlir
    %y = te.sign %x
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

def Te_FloorOp : Te_UnaryOp<"floor", "the largest whole number that is not above the operand", "kFloats"> {
  let description = [{
    Infinities, NaN and the sign of a zero stay.

    ```mlir
    %y = te.floor %x
    ```
  }];
}

def Te_CeilOp : Te_UnaryOp<"ceil", "the least whole number that is not below the operand", "kFloats"> {
  let description = [{
    Infinities, NaN and the sign of a zero stay.

    ```mlir
    %y = te.ceil %x
    ```
  }];
}

def Te_RoundOp : Te_UnaryOp<"round", "the nearest whole number, ties to even", "kFloats"> {
  let description = [{
    Infinities, NaN and the sign of a zero stay.

    ```mlir
    %y = te.round %x
    ```
  }];
}

def Te_TruncOp : Te_UnaryOp<"trunc", "the operand without its fraction", "kFloats"> {
  let description = [{
    Infinities, NaN and the sign of a zero stay.

    ```mlir
    %y = te.trunc %x
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

def Te_Expm1Op : Te_UnaryOp<"expm1", "e raised to the power of the operand, minus 1", "kFloats"> {
  let description = [{
    Keeps its digits near zero, where `te.exp` minus 1 loses them.

    ```mlir
    %y = te.expm1 %x
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

def Te_Log1pOp : Te_UnaryOp<"log1p", "the natural logarithm of the operand plus 1", "kFloats"> {
  let description = [{
    Keeps its digits near zero, where `te.log` of a sum loses them. Returns -infinity for -1 and NaN below.

    ```mlir
    %y = te.log1p %x
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

def Te_SinOp : Te_UnaryOp<"sin", "the sine", "kFloats"> {
  let description = [{
    The operand is an angle in radians; the result is NaN for infinities. The CPU reduces every angle exactly. The AI
    Core does so up to 2^17 (131,072) in float32 steps, which covers every float16 number. Beyond that its result is
    between -1 and 1, but has no correct digit.

    ```mlir
    %y = te.sin %x
    ```
  }];
}

def Te_CosOp : Te_UnaryOp<"cos", "the cosine", "kFloats"> {
  let description = [{
    The operand is an angle in radians; the result is NaN for infinities. The CPU reduces every angle exactly. The AI
    Core does so up to 2^17 (131,072) in float32 steps, which covers every float16 number. Beyond that its result is
    between -1 and 1, but has no correct digit.

    ```mlir
    %y = te.cos %x
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

def Te_SoftplusOp : Te_UnaryOp<"softplus", "log(1 + exp(operand))", "kFloats"> {
  let description = [{
    Keeps its digits far below zero, and does not overflow before the operand does.

    ```mlir
    %y = te.softplus %x
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

def Te_IsNanOp : Te_FloatTestOp<"isnan", "whether the operand is NaN"> {
  let description = [{
    The result has elements of type `i1`.

    ```mlir
    %missing = te.isnan %x
    ```
  }];
}

def Te_IsInfOp : Te_FloatTestOp<"isinf", "whether the operand is an infinity of either sign"> {
  let description = [{
    The result has elements of type `i1`.

    ```mlir
    %overflown = te.isinf %x
    ```
  }];
}

def Te_AndOp : Te_BinaryOp<"and", "whether both operands are true", "kTruths"> {
  let description = [{
    ```mlir
    %c = te.and %c1, %c2
    ```
  }];
}

def Te_OrOp : Te_BinaryOp<"or", "whether an operand is true", "kTruths"> {
  let description = [{
    ```mlir
    %c = te.or %c1, %c2
    ```
  }];
}

def Te_XorOp : Te_BinaryOp<"xor", "whether one operand is true and the other is not", "kTruths"> {
  let description = [{
    ```mlir
    %c = te.xor %c1, %c2
    ```
  }];
}

def Te_NotOp : Te_UnaryOp<"not", "whether the operand is false", "kTruths"> {
  let description = [{
    ```mlir
    %outside = te.not %inside
    ```
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
