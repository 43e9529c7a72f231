!T = f16
// y = `on` in the column of the index, which may count from the end; `off` elsewhere.
func.func @one_hot_int64(%indices: !indices) -> !y {
  %column = te.iota along D to !y
  %depth = te.constant #depth : i32
  %zero = te.constant 0 : i32
  %given = te.cast %indices to i32 saturate
  %isNegative = te.compare lt %given, %zero
  %fromEnd = te.add %given, %depth
  %place = te.select %isNegative, %fromEnd, %given
  %isHere = te.compare eq %column, %place
  %on = te.constant #on : !y
  %off = te.constant #off : !y
  %y = te.select %isHere, %on, %off
  return %y : !y
}
