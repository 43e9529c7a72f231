!T = f16
// y = x on and above diagonal k, or on and below it; else 0. Where the lower triangle is kept, 'above' is compared with 0
// and not with its double.
func.func @trilu(%x: !x) -> !y {
  %row = te.iota along N to !y
  %column = te.iota along M to !y
  %upper = te.constant #upper : i32
  %k = te.constant #k : i32
  %diagonal = te.sub %column, %row
  %above = te.sub %diagonal, %k
  %once = te.mul %above, %upper
  %twice = te.add %once, %once
  %keep = te.compare ge %twice, %above
  %none = te.constant 0 : !y
  %y = te.select %keep, %x, %none
  return %y : !y
}
