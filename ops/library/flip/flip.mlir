!T = f16
func.func @flip(%x: !x) -> !y {
  %place = te.iota along L to !y
  %last = te.constant -1 : i32
  %back = te.sub %last, %place
  %y = te.gather %x, %back along V beyond from_end
  return %y : !y
}
