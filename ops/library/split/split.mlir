!T = f16
func.func @split(%x: !x) -> (!first, !last) {
  %first = te.slice %x along A
  %last = te.slice %x along B
  return %first, %last : !first, !last
}
