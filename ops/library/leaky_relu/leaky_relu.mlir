!T = f16
// y = x where x is not negative, else alpha * x.
func.func @leaky_relu(%x: !x, %alpha: f32) -> !y {
  %y = te.leaky_relu %x, %alpha
  return %y : !y
}
