!T = f16
// y = ln of the sum of e^x, over the last dimension, which stays with size 1.
func.func @log_sum_exp(%x: !x) -> !y {
  %largest = te.reduce_max %x axes [-1] keep
  %below = te.sub %x, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [-1] keep
  %log = te.log %sum
  %y = te.add %log, %largest
  return %y : !y
}
