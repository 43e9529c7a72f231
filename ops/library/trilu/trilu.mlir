!T = f16
// y = x on and above diagonal k, or on and below it; else 0. Where the upper triangle is kept 'once' is 'above' and 'rest' 0,
// else the other way round.
func.func @trilu(%x: !x) -> !y {
  %row = te.iota along N to !y
  %column = te.iota along M to !y
  %upper = te.constant #upper : i32
  %k = te.constant #k : i32
  %diagonal = te.sub %column, %row
  %above = te.sub %diagonal, %k
  %once = te.mul %above, %upper
  %rest = te.sub %above, %once
  %keep = te.compare ge %once, %rest
  %none = te.constant 0 : !y
  %y = te.select %keep, %x, %none
  return %y : !y
}
