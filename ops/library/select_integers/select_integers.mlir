!T = f16
// y = x1 where condition is true, else x2.
func.func @select_integers(%condition: !condition, %x1: !x1, %x2: !x2) -> !y {
  %y = te.select %condition, %x1, %x2
  return %y : !y
}
