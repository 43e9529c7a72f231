// Rules of symbolic sizes: what binds a symbol, what uses it, and that equations have no cycles.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Shapes.h"

#include <algorithm>
#include <functional>
#include <set>

namespace opc {

namespace {

/// The names that shapes and equations use. A pack is stored with its dots, so that N and ...N differ.
struct Names {
  std::set<std::string> used;
  std::set<std::string> known; ///< from required inputs and equations
};

} // namespace

static std::string keyOf(const ContractDim &dim) {
  return printDim(dim);
}

static void forEachSymbol(const SizeExpression &size, const std::function<void(const SizeExpression &)> &visit) {
  if (size.op == SizeExpression::Symbol)
    visit(size);
  for (const SizeExpression &operand : size.operands)
    forEachSymbol(operand, visit);
}

static Names collectNames(const Contract &contract) {
  Names names;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape) {
        for (const ContractDim &leaf : leavesOf(dim))
          if (leaf.kind != ContractDim::Fixed)
            names.used.insert(keyOf(leaf));
      }
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals)
      forEachSymbol(*dimension.equals, [&](const SizeExpression &symbol) {
        if (!isAttributeOfSizes(contract, symbol.symbol))
          names.used.insert(symbol.symbol);
      });
  names.known = knownSizes(contract);
  return names;
}

/// Rule 18 for symbols and packs, and rule 30.
static void checkEntries(ContractErrors &errors, const Contract &contract, const Names &names) {
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape)
        if (dim.kind == ContractDim::Pack && names.used.count(dim.name))
          errors.report(ContractRule::NameOnce, dim.location,
                        "expects a symbol and a pack to have different names, found '" + dim.name + "' as both");
  std::vector<std::string> candidates(names.used.begin(), names.used.end());
  std::set<std::string> described;
  for (const ContractDimension &dimension : contract.dimensions) {
    if (dimension.name.empty())
      continue;
    std::string key = (dimension.isPack ? "..." : "") + dimension.name;
    if (!dimension.each.empty())
      key += "[" + dimension.each + "]";
    if (!names.used.count(key))
      errors.report(ContractRule::DimensionName, dimension.location,
                    "expects a symbol or pack that a shape uses, found '" + key + "'",
                    names.used.count("..." + key) ? "did you mean '..." + key + "'?" : suggest(key, candidates));
    if (!described.insert(key).second)
      errors.report(ContractRule::DimensionName, dimension.location,
                    "expects each symbol or pack once in 'dimensions', found '" + key + "' again");
  }
}

/// Rule 33: follows equations from each symbol; `path` holds the symbols on the way.
static bool findCircle(ContractErrors &errors, const Contract &contract, const ContractDimension &dimension,
                       std::vector<std::string> &path, std::set<std::string> &done) {
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != dimension.name)
      continue;
    std::string circle;
    for (size_t j = i; j < path.size(); ++j)
      circle += path[j] + " -> ";
    errors.report(ContractRule::Circle, dimension.location,
                  "expects an equation not to lead back to its own symbol, found " + circle + dimension.name);
    return true;
  }
  if (!dimension.equals || done.count(dimension.name))
    return false;
  path.push_back(dimension.name);
  bool circle = false;
  forEachSymbol(*dimension.equals, [&](const SizeExpression &symbol) {
    const ContractDimension *next = contract.findDimension(symbol.symbol);
    if (!circle && next && !next->isPack)
      circle = findCircle(errors, contract, *next, path, done);
  });
  path.pop_back();
  done.insert(dimension.name);
  return circle;
}

/// Rule 24, for a product or a sum of an input: one symbol follows from the others, but not more.
static void checkParts(ContractErrors &errors, const ContractDim &whole,
                       const std::function<bool(const std::string &)> &isKnown) {
  if (whole.factors.empty() && whole.terms.empty())
    return;
  std::string open;
  for (const ContractDim &leaf : leavesOf(whole))
    if (leaf.kind != ContractDim::Fixed && !isKnown(leaf.name))
      open += (open.empty() ? "'" : " and '") + leaf.name + "'";
  if (!open.empty())
    errors.report(ContractRule::OutputShape, whole.location,
                  "expects the " + std::string(whole.terms.empty() ? "factors" : "terms") + " of '" + whole.name +
                      "' to be given by other dimensions and equations, all but one, found " + open,
                  "add an equation to 'dimensions', or an input that has them");
}

/// Rule 24: symbols of outputs and equations, and those in products and sums, are bound or have an equation.
static void checkBound(ContractErrors &errors, const ContractDraft &draft, const Names &names) {
  const Contract &contract = draft.contract;
  for (const TensorPlaces &places : draft.inputPlaces)
    if (!places.hasShape)
      return; // the unread shape might bind any symbol
  std::vector<std::string> candidates;
  for (const std::string &name : names.known)
    if (name.find_first_of("*+") == std::string::npos)
      candidates.push_back(name);
  auto isKnown = [&](const std::string &key) {
    const ContractDimension *dimension = contract.findDimension(key);
    bool unread = std::count(draft.unreadEquations.begin(), draft.unreadEquations.end(), key);
    return names.known.count(key) || (dimension && dimension->equals) || unread;
  };
  auto check = [&](const std::string &key, const Location &where) {
    if (!isKnown(key))
      errors.report(ContractRule::OutputShape, where,
                    "expects sizes that a required input or an equation gives, found '" + key + "'",
                    suggest(key, candidates));
  };
  for (const ContractTensor &output : contract.outputs)
    for (const ContractDim &dim : output.shape) {
      for (const ContractDim &leaf : leavesOf(dim))
        if (leaf.kind != ContractDim::Fixed)
          check(keyOf(leaf), leaf.location);
    }
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals)
      forEachSymbol(*dimension.equals, [&](const SizeExpression &symbol) {
        if (!isAttributeOfSizes(contract, symbol.symbol))
          check(symbol.symbol, symbol.location);
      });
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      checkParts(errors, dim, isKnown);
}

/// Rule 34: reports the innermost operation on constants that has no value.
static bool checkConstants(ContractErrors &errors, const SizeExpression &size) {
  for (const SizeExpression &operand : size.operands)
    if (!checkConstants(errors, operand))
      return false;
  int64_t value = 0;
  EvalStatus status = evaluate(size, {}, value);
  if (status == EvalStatus::Ok || status == EvalStatus::BadProgram)
    return true; // it has a value, or uses symbols that are bound at launch
  bool divides = status == EvalStatus::DivisionByZero;
  errors.report(ContractRule::ConstantSize, size.location,
                std::string("expects an equation to have a value, found ") +
                    (divides ? "a division by zero" : "a result beyond 64 bits"));
  return false;
}

/// Rule 34: reports a symbol divided by the constant 0.
static bool checkDivisors(ContractErrors &errors, const SizeExpression &size) {
  for (const SizeExpression &operand : size.operands)
    if (!checkDivisors(errors, operand))
      return false;
  bool divides =
      size.op == SizeExpression::FloorDiv || size.op == SizeExpression::CeilDiv || size.op == SizeExpression::Rem;
  if (!divides || size.operands[0].op == SizeExpression::Const)
    return true;
  int64_t divisor = 1;
  if (evaluate(size.operands[1], {}, divisor) != EvalStatus::Ok || divisor != 0)
    return true;
  errors.report(ContractRule::ConstantSize, size.location,
                "expects an equation to have a value, found a division by zero");
  return false;
}

void checkSizes(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  Names names = collectNames(contract);
  checkEntries(errors, contract, names);
  checkBound(errors, draft, names);
  std::set<std::string> done;
  for (const ContractDimension &dimension : contract.dimensions) {
    std::vector<std::string> path;
    if (findCircle(errors, contract, dimension, path, done))
      break; // the other symbols would report the same cycle again
  }
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals && checkConstants(errors, *dimension.equals))
      checkDivisors(errors, *dimension.equals);
}

} // namespace opc
