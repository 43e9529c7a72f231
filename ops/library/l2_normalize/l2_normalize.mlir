!T = f16
// y = x / max(the root of the sum of x^2, epsilon), over the last dimension.
func.func @l2_normalize(%x: !x, %epsilon: f32) -> !y {
  %square = te.mul %x, %x
  %sum = te.reduce_sum %square axes [-1] keep
  %length = te.sqrt %sum
  %safe = te.maximum %length, %epsilon
  %y = te.div %x, %safe
  return %y : !y
}
