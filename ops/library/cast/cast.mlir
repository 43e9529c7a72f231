!T = f16
// y = x in the type of y. To integers floats are rounded to the nearest, ties to even, saturate, and NaN is 0;
// between integers the value wraps.
func.func @cast(%x: !x) -> !y {
  %y = te.cast %x to !y
  return %y : !y
}
