!T = f16
// y = 1 on diagonal k, else 0.
func.func @eye_like(%x: !x) -> !y {
  %row = te.iota along N to %x
  %column = te.iota along M to %x
  %k = te.constant #k : i32
  %diagonal = te.sub %column, %row
  %isOne = te.compare eq %diagonal, %k
  %y = te.cast %isOne to !y
  return %y : !y
}
