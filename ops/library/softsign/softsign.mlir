!T = f16
// y = x / (1 + |x|).
func.func @softsign(%x: !x) -> !y {
  %one = te.constant 1.0
  %size = te.abs %x
  %below = te.add %size, %one
  %y = te.div %x, %below
  return %y : !y
}
