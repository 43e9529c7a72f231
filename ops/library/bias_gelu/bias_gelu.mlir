!T = f16
// y = Gelu(x + bias), where the bias has one number for each column.
func.func @bias_gelu(%x: !x, %bias: !bias) -> !y {
  %sum = te.add %x, %bias
  %y = te.gelu erf %sum
  return %y : !y
}
