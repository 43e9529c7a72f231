!T = f16
// y = x on and above diagonal k, or on and below it; else 0. Where the lower triangle is kept, 'inside' is 'above' negated,
// else 'above' itself: its double wraps, and the difference wraps back.
func.func @trilu(%x: !x) -> !y {
  %row = te.iota along N to !y
  %column = te.iota along M to !y
  %upper = te.constant #upper : i32
  %k = te.constant #k : i32
  %diagonal = te.sub %column, %row
  %above = te.sub %diagonal, %k
  %once = te.mul %above, %upper
  %twice = te.add %once, %once
  %inside = te.sub %twice, %above
  %zero = te.constant 0 : i32
  %keep = te.compare ge %inside, %zero
  %none = te.constant 0 : !y
  %y = te.select %keep, %x, %none
  return %y : !y
}
