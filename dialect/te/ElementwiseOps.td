//===- ElementwiseOps.td - ops that compute element by element ----------------===//
//
// All take tensors that broadcast and scalars: rules value_c1 to value_c5 of the dialect.

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
    Integers wrap.

    ```mlir
    %sum = te.add %x1, %x2
    ```
  }];
}

def Te_SubOp : Te_BinaryOp<"sub", "lhs - rhs", "kNumbers"> {
  let description = [{
    Integers wrap.

    ```mlir
    %centred = te.sub %x, %mean
    ```
  }];
}

def Te_MulOp : Te_BinaryOp<"mul", "lhs * rhs", "kNumbers"> {
  let description = [{
    Integers wrap.

    ```mlir
    %scaled = te.mul %x, %beta
    ```
  }];
}

def Te_DivOp : Te_BinaryOp<"div", "lhs / rhs", "kFloats"> {
  let description = [{
    Of floats alone: rounding, NaN and infinities are IEEE 754's.

    ```mlir
    %quotient = te.div %x1, %x2
    ```
  }];
}

def Te_MaximumOp : Te_BinaryOp<"maximum", "the larger of two", "kNumbers"> {
  let description = [{
    NaN where one of two floats is NaN.

    ```mlir
    %y = te.maximum %x, %low
    ```
  }];
}

def Te_MinimumOp : Te_BinaryOp<"minimum", "the smaller of two", "kNumbers"> {
  let description = [{
    NaN where one of two floats is NaN.

    ```mlir
    %y = te.minimum %x, %high
    ```
  }];
}

def Te_LeakyReluOp : Te_BinaryOp<"leaky_relu", "lhs where it is not negative, else lhs times rhs", "kFloats"> {
  let description = [{
    `rhs` is the slope, mostly a scalar.

    ```mlir
    %y = te.leaky_relu %x, %slope
    ```
  }];
}

def Te_SwishOp : Te_BinaryOp<"swish", "lhs / (1 + exp(-rhs * lhs))", "kFloats"> {
  let description = [{
    The operand times its own sigmoid, `rhs` is the steepness. Evaluated as it stands, the quotient stays right where
    the sigmoid alone would be too small for the type.

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
    Changes the sign of a zero too. Integers wrap.

    ```mlir
    %y = te.neg %x
    ```
  }];
}

def Te_AbsOp : Te_UnaryOp<"abs", "the operand without its sign", "kNumbers"> {
  let description = [{
    The smallest signed integer stays as it is.

    ```mlir
    %y = te.abs %x
    ```
  }];
}

def Te_ReluOp : Te_UnaryOp<"relu", "the operand, zero where it is negative", "kNumbers"> {
  let description = [{
    NaN stays NaN.

    ```mlir
    %y = te.relu %sum
    ```
  }];
}

def Te_ExpOp : Te_UnaryOp<"exp", "e to the power of the operand", "kFloats"> {
  let description = [{
    ```mlir
    %y = te.exp %x
    ```
  }];
}

def Te_LogOp : Te_UnaryOp<"log", "the natural logarithm", "kFloats"> {
  let description = [{
    -infinity at zero, NaN below.

    ```mlir
    %y = te.log %x
    ```
  }];
}

def Te_SqrtOp : Te_UnaryOp<"sqrt", "the square root", "kFloats"> {
  let description = [{
    NaN below zero.

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

def Te_GeluOp : Te_ElementwiseOp<"gelu", "the operand times the normal distribution up to it", "kFloats"> {
  let description = [{
    `erf`: `x / 2 * (1 + erf(x / sqrt(2)))`. `tanh`: `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.

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

def Te_CompareOp : Te_Op<"compare", "whether lhs compares to rhs", [Te_Elementwise]> {
  let description = [{
    The result has elements of `i1`. With NaN `ne` is true and all others are false; +0 and -0 are equal.

    ```mlir
    %less = te.compare lt %x1, %x2
    ```
  }];
  let arguments = (ins Te_PredicateProp:$predicate, Te_Value:$lhs, Te_Value:$rhs);
  let assemblyFormat = [{
    $predicate custom<TypedOperand>($lhs, type($lhs)) `,` custom<TypedOperand>($rhs, type($rhs)) attr-dict
  }];
}

def Te_SelectOp : Te_Op<"select", "the second operand where the first is true, else the third", [Te_Elementwise]> {
  let description = [{
    * (select_c1) the condition has elements of `i1`

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

def Te_CastOp : Te_Op<"cast", "the operand as another type", [Te_Elementwise]> {
  let description = [{
    The type may be given by a tensor's, as `!y`: its elements count. `round` says how what the type cannot hold is
    rounded, to the nearest with ties to even where nothing is said. Floats beyond an integer type saturate always, and
    NaN becomes 0. Integers beyond an integer type wrap, with `saturate` they become its nearest value. Floats beyond a
    float type become infinite (the largest finite number where the rounding leads there), with `saturate` the largest
    finite number. A number is true unless it is zero; true is 1.

    * (cast_c1) the type is that of a number, or of a tensor of them
    * (cast_c2) `round` stands where a cast can round: from a float to an integer or to a float that holds less
    * (cast_c3) `unsigned` stands with an integer type; payloads, whose types have no sign, say it so

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
