!T = f16
func.func @split_qkv(%x: !x) -> (!q, !k, !v) {
  %q = te.slice %x along P at 0
  %k = te.slice %x along P at 1
  %v = te.slice %x along P at 2
  return %q, %k, %v : !q, !k, !v
}
