!T = f16
// y = e^(x - max x) / the sum of e^(x - max x), over dimension 1, the channels.
func.func @softmax_channels(%x: !x) -> !y {
  %largest = te.reduce_max %x axes [C] keep
  %below = te.sub %x, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [C] keep
  %y = te.div %power, %sum
  return %y : !y
}
