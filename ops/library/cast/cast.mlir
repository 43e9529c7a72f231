!T = f16
// y = x in the type of y. From floats to integers it rounds to the nearest, ties to even, and saturates; NaN is 0;
// between integers the value wraps.
func.func @cast(%x: !x) -> !y {
  %y = te.cast %x to !y
  return %y : !y
}
