!T = f16
func.func @cum_sum_wide(%x: !x) -> !y {
  %y = te.scan sum %x along N exclusive #exclusive reverse #reverse
  return %y : !y
}
