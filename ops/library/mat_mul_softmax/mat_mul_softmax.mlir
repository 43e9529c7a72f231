!T = f16
// y = softmax(scale q k^T) over the last dimension.
func.func @mat_mul_softmax(%q: !q, %k: !k, %scale: f32) -> !y {
  %product = te.matmul %q, %k axes [K]
  %scores = te.mul %product, %scale
  %largest = te.reduce_max %scores axes [N] keep
  %below = te.sub %scores, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [N] keep
  %y = te.div %power, %sum
  return %y : !y
}
