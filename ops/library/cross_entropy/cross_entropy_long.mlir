!T = f16
// y = ln of the sum of e^(x - max x) - (x - max x) of the label's class. Where the class is not the label's, 0 is added.
func.func @cross_entropy(%x: !x, %label: !label) -> !y {
  %largest = te.reduce_max %x axes [C] keep
  %below = te.sub %x, %largest
  %power = te.exp %below
  %sum = te.reduce_sum %power axes [C]
  %all = te.log %sum
  %place = te.iota along C to %x
  %class = te.cast %place to i64
  %hit = te.compare eq %class, %label
  %none = te.constant 0.0
  %score = te.select %hit, %below, %none
  %own = te.reduce_sum %score axes [C]
  %y = te.sub %all, %own
  return %y : !y
}
