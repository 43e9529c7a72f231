!T = f16
func.func @counts(%x: !x, %gamma: !gamma) -> !y {
  %row = te.iota along N to !y
  %column = te.iota along M to %x
  %keep = te.compare le %column, %row
  %y = te.select %keep, %x, %gamma
  return %y : !y
}
