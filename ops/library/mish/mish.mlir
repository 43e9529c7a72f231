!T = f16
// y = x * tanh(ln(1 + e^x)).
// With e = e^x and n = e (e + 2) the hyperbolic tangent is n / (n + 2): 1 from x = 20 on, and 0 below -110.
func.func @mish(%x: !x) -> !y {
  %least = te.constant -110.0
  %most = te.constant 20.0
  %two = te.constant 2.0
  %low = te.maximum %x, %least
  %near = te.minimum %low, %most
  %e = te.exp %near
  %more = te.add %e, %two
  %n = te.mul %e, %more
  %below = te.add %n, %two
  %gate = te.div %n, %below
  %y = te.mul %low, %gate
  return %y : !y
}
