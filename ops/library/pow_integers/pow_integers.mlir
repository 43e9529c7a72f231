!T = f16
// y = x1^x2. Products wrap; powers with a negative exponent are 0, unless x1 is 1 or -1.
func.func @pow_integers(%x1: !x1, %x2: !x2) -> !y {
  %y = te.pow %x1, %x2
  return %y : !y
}
