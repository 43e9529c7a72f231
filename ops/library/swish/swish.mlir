!T = f16
// y = x / (1 + exp(-beta * x)); beta arrives with the launch.
func.func @swish(%x: !x, %beta: f32) -> !y {
  %y = te.swish %x, %beta
  return %y : !y
}
