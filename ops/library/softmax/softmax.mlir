!T = f16
// y = e^(x - max x) / the sum of e^(x - max x), over the last dimension.
func.func @softmax(%x: !x) -> !y {
  %largest = te.reduce_max %x axes [-1] keep
  %below = te.sub %x, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [-1] keep
  %y = te.div %power, %sum
  return %y : !y
}
