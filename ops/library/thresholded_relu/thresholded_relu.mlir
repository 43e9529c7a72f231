!T = f16
// y = x where x is above alpha, else 0.
func.func @thresholded_relu(%x: !x, %alpha: f32) -> !y {
  %zero = te.constant 0.0
  %above = te.compare gt %x, %alpha
  %y = te.select %above, %x, %zero
  return %y : !y
}
