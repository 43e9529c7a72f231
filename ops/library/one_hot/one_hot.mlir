!T = f16
// y = `on` in the column of the index, which may count from the end; `off` elsewhere.
func.func @one_hot(%indices: !indices) -> !y {
  %column = te.iota along D to !y
  %depth = te.constant #depth : i32
  %zero = te.constant 0 : i32
  %isNegative = te.compare lt %indices, %zero
  %fromEnd = te.add %indices, %depth
  %place = te.select %isNegative, %fromEnd, %indices
  %isHere = te.compare eq %column, %place
  %on = te.constant #on : !y
  %off = te.constant #off : !y
  %y = te.select %isHere, %on, %off
  return %y : !y
}
