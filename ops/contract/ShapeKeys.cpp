// Computes the shape keys of a contract from its declared shapes.

#include "ops/contract/ShapeKeys.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc {

/// Most inputs that broadcast: the subsets of more inputs would exceed kMaxShapeKeys.
static constexpr unsigned kMaxBroadcastInputs = 6;

static bool sameDim(const ContractDim &a, const ContractDim &b) {
  return a.kind == b.kind && a.name == b.name && a.size == b.size;
}

static bool sameShape(const std::vector<ContractDim> &a, const std::vector<ContractDim> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameDim);
}

static bool isPack(const std::vector<ContractDim> &shape) {
  return shape.size() == 1 && shape.front().kind == ContractDim::Pack;
}

/// The loops of (m, n) that index a tensor of a rows contract, given the whole shape [prefix, N]; nullopt when no key
/// can express the tensor's shape.
static std::optional<std::vector<int>> rowsDims(const std::vector<ContractDim> &shape,
                                                const std::vector<ContractDim> &whole) {
  if (sameShape(shape, whole))
    return std::vector<int>{0, 1};
  if (shape.size() == 1 && sameDim(shape.front(), whole.back()))
    return std::vector<int>{-1, 1};
  std::vector<ContractDim> prefix(whole.begin(), whole.end() - 1);
  if (sameShape(shape, prefix))
    return std::vector<int>{0};
  if (!shape.empty() && shape.back().kind == ContractDim::Fixed && shape.back().size == 1 &&
      sameShape({shape.begin(), shape.end() - 1}, prefix))
    return std::vector<int>{0, -1};
  return std::nullopt;
}

const std::vector<ContractDim> *wholeRows(const Contract &contract) {
  const std::vector<ContractDim> *whole = nullptr;
  for (const ContractTensor &input : contract.inputs)
    if (!input.shape.empty() && input.shape.back().kind == ContractDim::Symbol &&
        (!whole || input.shape.size() > whole->size()))
      whole = &input.shape;
  return whole;
}

static std::string kindOfRows(const Contract &contract) {
  const std::vector<ContractDim> *whole = wholeRows(contract);
  if (!whole)
    return "no input has a shape that ends in a symbol, as [...S, N] does";
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      if (tensor.broadcast != Broadcast::None)
        return "input '" + tensor.name + "' of an operator on rows broadcasts";
      if (!rowsDims(tensor.shape, *whole))
        return "the shape " + printShape(tensor.shape) + " of '" + tensor.name + "' is neither rows " +
               printShape(*whole) + " nor a parameter of them";
    }
  return {};
}

static std::string kindOfReduction(const Contract &contract) {
  const ContractReduction *first = nullptr;
  for (const ContractTensor &output : contract.outputs) {
    if (!output.reduces)
      return "output '" + output.name + "' does not reduce, another output does";
    if (!first)
      first = &*output.reduces;
    if (output.reduces->input != first->input || output.reduces->axes != first->axes)
      return "outputs '" + contract.outputs.front().name + "' and '" + output.name +
             "' reduce different inputs or axes";
  }
  const ContractTensor *reduced = contract.findTensor(first->input);
  for (const ContractTensor &input : contract.inputs) {
    if (input.broadcast != Broadcast::None)
      return "input '" + input.name + "' of a reduction broadcasts";
    if (!sameShape(input.shape, reduced->shape))
      return "input '" + input.name + "' has not the shape of '" + reduced->name + "'";
  }
  return {};
}

static std::string kindOfElementwise(const Contract &contract) {
  unsigned broadcasting = 0;
  for (const ContractTensor &input : contract.inputs)
    broadcasting += input.broadcast != Broadcast::None;
  if (broadcasting > kMaxBroadcastInputs)
    return std::to_string(broadcasting) + " inputs broadcast, at most " + std::to_string(kMaxBroadcastInputs) +
           " are served";
  return {};
}

/// Whether every tensor but scalars has the same shape [...S].
static bool isElementwise(const Contract &contract) {
  const std::vector<ContractDim> *pack = nullptr;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      if (tensor.broadcast == Broadcast::Scalar)
        continue;
      if (!isPack(tensor.shape) || (pack && !sameShape(tensor.shape, *pack)))
        return false;
      pack = &tensor.shape;
    }
  return pack != nullptr;
}

std::optional<ContractKind> contractKind(const Contract &contract, std::string &reason) {
  reason.clear();
  for (const ContractTensor &input : contract.inputs)
    if (!input.required)
      return reason = "input '" + input.name + "' is optional", std::nullopt;
  bool reduces = std::any_of(contract.outputs.begin(), contract.outputs.end(),
                             [](const ContractTensor &output) { return bool(output.reduces); });
  ContractKind kind = reduces                   ? ContractKind::Reduction
                      : isElementwise(contract) ? ContractKind::Elementwise
                                                : ContractKind::Rows;
  reason = kind == ContractKind::Reduction     ? kindOfReduction(contract)
           : kind == ContractKind::Elementwise ? kindOfElementwise(contract)
                                               : kindOfRows(contract);
  if (!reason.empty())
    return std::nullopt;
  return kind;
}

/// Collects the keys of one operator.
class KeyList {
public:
  KeyList(const Contract &contract) : contract(contract) {}

  /// Moves the keys out.
  std::vector<ShapeKey> take() { return std::move(keys); }

  /// Adds a key without operands; the caller fills them in.
  ShapeKey &add(std::string name, ShapeKey::Kind kind, std::vector<bool> reduced) {
    ShapeKey key;
    key.number = static_cast<unsigned>(keys.size());
    key.name = std::move(name);
    key.kind = kind;
    key.loops = static_cast<unsigned>(reduced.size());
    key.reduced = std::move(reduced);
    keys.push_back(std::move(key));
    return keys.back();
  }

  /// Adds an elementwise key: `ways` gives the spread of each input ('f'ull, 's'calar, 'r'ow, 'c'olumn), outputs
  /// are full. The name lists the inputs that are not full. A Flat key needs at least one full input, else nothing
  /// is added.
  void addElementwise(ShapeKey::Kind kind, const std::vector<char> &ways) {
    if (kind == ShapeKey::Flat && std::count(ways.begin(), ways.end(), 'f') == 0)
      return;
    bool flat = kind == ShapeKey::Flat;
    std::string name = flat ? "flat" : "rows";
    std::vector<ShapeKey::Operand> operands;
    for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i) {
      char way = i < ways.size() ? ways[i] : 'f';
      if (way != 'f')
        name += "_" + contract.inputs[i].name + (way == 's' ? "_scalar" : way == 'r' ? "_row" : "_column");
      int outer = way == 'f' || way == 'c' ? 0 : -1;
      int inner = way == 'f' || way == 'r' ? 1 : -1;
      operands.push_back(flat ? ShapeKey::Operand{{outer}} : ShapeKey::Operand{{outer, inner}});
    }
    add(std::move(name), kind, std::vector<bool>(flat ? 1 : 2, false)).operands = std::move(operands);
  }

private:
  const Contract &contract;
  std::vector<ShapeKey> keys;
};

static std::vector<ShapeKey> elementwiseKeys(const Contract &contract) {
  std::vector<char> base(contract.inputs.size(), 'f');
  std::vector<size_t> broadcasting;
  for (size_t i = 0; i < base.size(); ++i) {
    if (contract.inputs[i].broadcast == Broadcast::Scalar)
      base[i] = 's';
    if (contract.inputs[i].broadcast == Broadcast::Numpy)
      broadcasting.push_back(i);
  }
  auto subset = [&](unsigned members, char way) {
    std::vector<char> ways = base;
    for (size_t i = 0; i < broadcasting.size(); ++i)
      if (members >> i & 1)
        ways[broadcasting[i]] = way;
    return ways;
  };

  KeyList list(contract);
  unsigned subsets = 1u << broadcasting.size();
  for (unsigned members = 0; members < subsets; ++members)
    list.addElementwise(ShapeKey::Flat, subset(members, 's'));
  // Keys in which all inputs that are not full have one spread; at least one input is full.
  for (char way : {'r', 'c'})
    for (unsigned members = 1; members < subsets; ++members) {
      std::vector<char> ways = subset(members, way);
      if (std::count(ways.begin(), ways.end(), 'f') > 0)
        list.addElementwise(ShapeKey::Grid, ways);
    }
  // Two inputs, each stretched by the other.
  if (broadcasting.size() == 2 && std::count(base.begin(), base.end(), 'f') == 2) {
    std::vector<char> ways = base;
    for (auto [first, second] : {std::pair('r', 'c'), std::pair('c', 'r')}) {
      ways[broadcasting[0]] = first;
      ways[broadcasting[1]] = second;
      list.addElementwise(ShapeKey::Grid, ways);
    }
  }
  return list.take();
}

static std::vector<ShapeKey> rowsKeys(const Contract &contract) {
  const std::vector<ContractDim> &whole = *wholeRows(contract);
  std::vector<ShapeKey::Operand> operands;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      operands.push_back({*rowsDims(tensor.shape, whole)});
  KeyList list(contract);
  list.add("rows_short", ShapeKey::Rows, {false, false}).operands = operands;
  ShapeKey &longRows = list.add("rows_long", ShapeKey::Rows, {false, false});
  longRows.operands = operands;
  longRows.isLong = true;
  return list.take();
}

static std::vector<ShapeKey> reductionKeys(const Contract &contract) {
  std::vector<ShapeKey::Operand> rows(contract.inputs.size(), {{0, 1, 2}}), columns = rows;
  rows.resize(rows.size() + contract.outputs.size(), {{1}});
  columns.resize(columns.size() + contract.outputs.size(), {{2}});
  KeyList list(contract);
  list.add("reduce_rows_short", ShapeKey::ReduceRows, {true, false, true}).operands = rows;
  ShapeKey &longRows = list.add("reduce_rows_long", ShapeKey::ReduceRows, {true, false, true});
  longRows.operands = rows;
  longRows.isLong = true;
  list.add("reduce_columns", ShapeKey::ReduceColumns, {true, true, false}).operands = columns;
  return list.take();
}

std::vector<ShapeKey> shapeKeys(const Contract &contract) {
  std::string reason;
  std::optional<ContractKind> kind = contractKind(contract, reason);
  if (!kind)
    return {};
  switch (*kind) {
  case ContractKind::Elementwise:
    return elementwiseKeys(contract);
  case ContractKind::Rows:
    return rowsKeys(contract);
  case ContractKind::Reduction:
    return reductionKeys(contract);
  }
  return {};
}

} // namespace opc
