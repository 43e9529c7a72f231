!T = f16
// y = x + bias below -lambd, x - bias above lambd, 0 between them.
func.func @shrink(%x: !x, %bias: f32, %lambd: f32) -> !y {
  %zero = te.constant 0.0
  %least = te.neg %lambd
  %more = te.add %x, %bias
  %less = te.sub %x, %bias
  %isBelow = te.compare lt %x, %least
  %isAbove = te.compare gt %x, %lambd
  %above = te.select %isAbove, %less, %zero
  %y = te.select %isBelow, %more, %above
  return %y : !y
}
