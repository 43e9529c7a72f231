!T = f16
func.func @batch_mat_mul_integer(%a: !a, %b: !b) -> !y {
  %y = te.matmul %a, %b axes [K]
  return %y : !y
}
