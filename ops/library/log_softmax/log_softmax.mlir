!T = f16
// y = x - max x - ln of the sum of e^(x - max x), along an axis.
func.func @log_softmax(%x: !x) -> !y {
  %largest = te.reduce_max %x axes [N] keep
  %below = te.sub %x, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [N] keep
  %rest = te.log %sum
  %y = te.sub %below, %rest
  return %y : !y
}
