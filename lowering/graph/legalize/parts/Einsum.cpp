// Rewrites Einsum of one operand as a sum and a transpose, and of two as a product of stacks of matrices.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include <map>
#include <string>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// The letters of each operand and of the result, and the size of each letter.
struct Decomposer::Equation {
  SmallVector<std::string> operands;
  std::string result;
  std::map<char, int64_t> sizes;

  /// The positions of letters among others.
  static Shape orderOf(StringRef letters, StringRef among) {
    return llvm::map_to_vector(letters, [&](char letter) { return static_cast<int64_t>(among.find(letter)); });
  }
  Shape shapeOf(StringRef letters) const {
    return llvm::map_to_vector(letters, [&](char letter) { return sizes.at(letter); });
  }
};

/// Accepts only letters, each once in an operand; ellipses and diagonals are refused.
bool Decomposer::readEquation(Equation &equation) {
  std::string text;
  for (char each : word("equation", ""))
    if (each != ' ')
      text += each;
  auto [from, to] = StringRef(text).split("->");
  SmallVector<StringRef> parts;
  from.split(parts, ',');
  if (parts.size() != node.getNumOperands() || parts.size() > 2)
    return false;
  for (auto [i, part] : llvm::enumerate(parts)) {
    RankedTensorType type = typeOf(static_cast<unsigned>(i));
    if (!type || type.getRank() != static_cast<int64_t>(part.size()) || part.size() > 8)
      return false;
    for (auto [letter, size] : llvm::zip(part, type.getShape())) {
      auto [known, isNew] = equation.sizes.emplace(letter, size);
      if (!llvm::isAlpha(letter) || part.count(letter) != 1 || (!isNew && known->second != size))
        return false;
    }
    equation.operands.push_back(part.str());
  }
  if (StringRef(text).contains("->"))
    equation.result = to.str();
  else
    for (const auto &[letter, size] : equation.sizes) // sorted: letters that occur once
      if (from.count(letter) == 1)
        equation.result += letter;
  return llvm::all_of(equation.result, [&](char letter) {
    return equation.sizes.count(letter) != 0 && StringRef(equation.result).count(letter) == 1;
  });
}

/// An operand with its letters in an order; letters that are not in it are summed.
Value Decomposer::arranged(Value from, StringRef letters, StringRef wanted) {
  Shape axes;
  std::string kept;
  for (auto [i, letter] : llvm::enumerate(letters))
    if (wanted.contains(letter))
      kept += letter;
    else
      axes.push_back(static_cast<int64_t>(i));
  if (!axes.empty())
    from = value("ReduceSum", {from, wholes(axes)}, named("keepdims", int64_t(0)));
  return kept == wanted ? from : transposed(from, Equation::orderOf(wanted, kept));
}

bool Decomposer::einsum() {
  Equation equation;
  if (!typeOf(0) || !isa<FloatType>(typeOf(0).getElementType()) || !readEquation(equation))
    return false;
  const StringRef result = equation.result;
  if (equation.operands.size() == 1) {
    finish(0, arranged(node.getOperand(0), equation.operands[0], result));
    return true;
  }
  const StringRef a = equation.operands[0], b = equation.operands[1];
  std::string stack, rows, columns, depth;
  for (char letter : a)
    (b.contains(letter) ? (result.contains(letter) ? stack : depth) : rows) += letter;
  for (char letter : b)
    if (!a.contains(letter))
      columns += letter;
  // Letters of only one operand that the result lacks are summed before.
  auto keepResults = [&](std::string &letters) {
    llvm::erase_if(letters, [&](char letter) { return !result.contains(letter); });
  };
  keepResults(rows);
  keepResults(columns);
  auto product = [&](StringRef letters) { return elementsOf(equation.shapeOf(letters), INT64_MAX); };
  std::optional<int64_t> stacks = product(stack), m = product(rows), n = product(columns), k = product(depth);
  if (!stacks || !m || !n || !k)
    return false;
  Value left = reshaped(arranged(node.getOperand(0), a, stack + rows + depth), {*stacks, *m, *k});
  Value right = reshaped(arranged(node.getOperand(1), b, stack + depth + columns), {*stacks, *k, *n});
  const std::string made = stack + rows + columns;
  Value whole = reshaped(value("MatMul", {left, right}), equation.shapeOf(made));
  finish(0, made == result ? whole : transposed(whole, Equation::orderOf(result, made)));
  return true;
}
