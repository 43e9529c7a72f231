!T = f16
// The features of a head are (p, d).
func.func @rotary_embedding(%x: !x, %cos: !cos, %sin: !sin) -> !y {
  %low = te.slice %x along P at 0
  %high = te.slice %x along P at 1
  %lowCos = te.mul %low, %cos
  %highSin = te.mul %high, %sin
  %first = te.sub %lowCos, %highSin
  %highCos = te.mul %high, %cos
  %lowSin = te.mul %low, %sin
  %second = te.add %highCos, %lowSin
  %y = te.stack %first, %second along P
  return %y : !y
}
