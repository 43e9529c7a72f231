!T = f16
func.func @gemm(%a: !a, %b: !b, %c: !c, %alpha: f32, %beta: f32) -> !y {
  %product = te.matmul %a, %b axes [K]
  %scaled = te.mul %product, %alpha
  %part = te.mul %c, %beta
  %y = te.add %scaled, %part
  return %y : !y
}
