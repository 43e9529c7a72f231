!T = f16
func.func @scatters(%table: !table, %places: !places, %rows: !rows) -> !y {
  %r = te.neg %rows
  %y = te.scatter add %r into %table by %places along V
  return %y : !y
}
