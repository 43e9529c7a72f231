// Plans have constants below about 2^40. A product that exceeds 64 bits was refused earlier.

#include "lowering/emit/ascendc/Polynomial.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opc;

Polynomial Polynomial::of(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return of(cast<IntegerAttr>(attribute).getInt());
  llvm::APInt constant;
  Value dynamic = cast<Value>(value);
  if (matchPattern(dynamic, m_ConstantInt(&constant)))
    return of(constant.getSExtValue());
  return {0, {{1, {dynamic}}}};
}

static int64_t wrapped(uint64_t value) {
  return static_cast<int64_t>(value);
}

Polynomial opc::operator+(Polynomial a, const Polynomial &b) {
  a.constant = wrapped(uint64_t(a.constant) + uint64_t(b.constant));
  a.terms.append(b.terms.begin(), b.terms.end());
  return a;
}

Polynomial opc::operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial product = Polynomial::of(wrapped(uint64_t(a.constant) * uint64_t(b.constant)));
  auto add = [&](int64_t factor, ArrayRef<Value> first, ArrayRef<Value> second) {
    if (factor == 0)
      return;
    Polynomial::Term term{factor, {}};
    term.values.append(first.begin(), first.end());
    term.values.append(second.begin(), second.end());
    product.terms.push_back(std::move(term));
  };
  for (const Polynomial::Term &term : a.terms)
    add(wrapped(uint64_t(term.factor) * uint64_t(b.constant)), term.values, {});
  for (const Polynomial::Term &term : b.terms)
    add(wrapped(uint64_t(term.factor) * uint64_t(a.constant)), term.values, {});
  for (const Polynomial::Term &left : a.terms)
    for (const Polynomial::Term &right : b.terms)
      add(wrapped(uint64_t(left.factor) * uint64_t(right.factor)), left.values, right.values);
  return product;
}
