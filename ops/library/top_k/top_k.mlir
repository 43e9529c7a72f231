!T = f16
func.func @top_k(%x: !x) -> (!values, !indices) {
  %values = te.sort %x along N to K descending #largest
  %places = te.sort %x along N to K descending #largest places
  %indices = te.cast %places to !indices
  return %values, %indices : !values, !indices
}
