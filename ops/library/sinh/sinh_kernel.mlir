!T = f16
// y = (e^x - e^-x) / 2: near zero of e^x - 1, beyond of halves of x, whose exponentials stay finite.
func.func @sinh_kernel(%x: !x) -> !y {
  %one = te.constant 1.0
  %half = te.constant 0.5
  %quarter = te.constant 0.25
  %size = te.abs %x
  %near = te.minimum %size, %one
  %grown = te.expm1 %near
  %base = te.add %grown, %one
  %ratio = te.div %grown, %base
  %sum = te.add %grown, %ratio
  %low = te.mul %sum, %half
  %share = te.mul %size, %half
  %root = te.exp %share
  %part = te.mul %root, %half
  %large = te.mul %part, %root
  %small = te.div %quarter, %large
  %high = te.sub %large, %small
  %isNear = te.compare lt %size, %one
  %most = te.select %isNear, %low, %high
  %least = te.neg %most
  %zero = te.constant 0.0
  %isLeft = te.compare lt %x, %zero
  %y = te.select %isLeft, %least, %most
  return %y : !y
}
