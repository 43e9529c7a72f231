!T = f16
// y = min(max(x, minimum), maximum).
func.func @clip(%x: !x, %minimum: f32, %maximum: f32) -> !y {
  %raised = te.maximum %x, %minimum
  %y = te.minimum %raised, %maximum
  return %y : !y
}
