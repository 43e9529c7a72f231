!T = f16
// y = softmax(scale a b + mask) over the last dimension.
func.func @batch_mat_mul_softmax(%a: !a, %b: !b, %mask: !mask, %scale: f32) -> !y {
  %product = te.matmul %a, %b axes [K]
  %scaled = te.mul %product, %scale
  %scores = te.add %scaled, %mask
  %largest = te.reduce_max %scores axes [N] keep
  %below = te.sub %scores, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [N] keep
  %y = te.div %power, %sum
  return %y : !y
}
