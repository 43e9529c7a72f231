!T = f16
func.func @cum_prod_wide(%x: !x) -> !y {
  %y = te.scan product %x along N exclusive #exclusive reverse #reverse
  return %y : !y
}
