// Binding symbols and packs to the shapes of a launch.
//
// Steps: inputs that do not broadcast bind their names; inputs with 'broadcast: numpy' are aligned to the right,
// where 1 and missing dimensions stretch; inputs with 'broadcast: batch' bind their names, and their pack stretches so;
// inputs with 'broadcast: scalar' must have one element. Then equations bind or check symbols, repeated until nothing
// changes, and ranges are checked last.

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc {

std::string printDim(const ContractDim &dim) {
  if (dim.kind == ContractDim::Fixed)
    return std::to_string(dim.size);
  return (dim.kind == ContractDim::Pack ? "..." : "") + dim.name + (dim.each.empty() ? "" : "[" + dim.each + "]");
}

std::vector<ContractDim> flatDims(const std::vector<ContractDim> &shape) {
  std::vector<ContractDim> dims;
  for (const ContractDim &dim : shape) {
    size_t first = dims.size();
    if (dim.factors.empty())
      dims.push_back(dim);
    else
      dims.insert(dims.end(), dim.factors.begin(), dim.factors.end());
    dims[first].sum = dim.sum;
    dims[first].place = dim.place;
  }
  return dims;
}

std::vector<ContractDim> leavesOf(const ContractDim &dim) {
  if (dim.terms.empty())
    return dim.factors.empty() ? std::vector<ContractDim>{dim} : dim.factors;
  std::vector<ContractDim> leaves;
  for (const ContractDim &term : dim.terms)
    for (const ContractDim &leaf : leavesOf(term))
      leaves.push_back(leaf);
  return leaves;
}

std::string printShape(const std::vector<ContractDim> &shape) {
  std::string text;
  for (const ContractDim &dim : shape)
    text += (text.empty() ? "" : ", ") + printDim(dim);
  return "[" + text + "]";
}

std::string printShape(const Shape &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// Checks the rank, the sizes and the number of bytes of one input.
static std::string checkExtent(const ContractTensor &tensor, const Shape &shape) {
  if (shape.size() > kMaxRank)
    return "'" + tensor.name + "' has " + std::to_string(shape.size()) + " dimensions, at most 8 are admitted";
  int64_t bytes = 8; // of the widest element type, so that byte offsets are in range too
  bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (int64_t size : shape) {
    if (size < 0)
      return "'" + tensor.name + "' has the negative size " + std::to_string(size);
    if (!empty && __builtin_mul_overflow(bytes, size, &bytes))
      return "'" + tensor.name + "' of shape " + printShape(shape) + " has more bytes than 64 bits count";
  }
  return {};
}

static std::string misfit(const ContractTensor &tensor, const Shape &shape) {
  return "'" + tensor.name + "' of shape " + printShape(shape) + " does not fit " + printShape(tensor.shape);
}

/// Binds a name to a size; false when it is bound to another size already.
static bool agree(ShapeBinding &binding, const ContractDim &dim, int64_t size) {
  if (dim.kind == ContractDim::Fixed)
    return dim.size == size;
  return binding.symbols.emplace(dim.name, size).first->second == size;
}

/// Binds the dimensions of an input that does not broadcast, or those beside its pack.
static std::string bindExact(const ContractTensor &tensor, const Shape &shape, ShapeBinding &binding) {
  bool hasPack = false;
  for (const ContractDim &dim : tensor.shape)
    hasPack |= dim.kind == ContractDim::Pack;
  size_t singles = tensor.shape.size() - hasPack;
  if (shape.size() < singles || (!hasPack && shape.size() != singles))
    return misfit(tensor, shape);
  auto next = shape.begin();
  for (const ContractDim &dim : tensor.shape) {
    if (dim.kind != ContractDim::Pack) {
      if (!agree(binding, dim, *next++))
        return misfit(tensor, shape) + ": '" + printDim(dim) + "' has another size already";
      continue;
    }
    Shape pack(next, next + static_cast<ptrdiff_t>(shape.size() - singles));
    next += static_cast<ptrdiff_t>(pack.size());
    if (tensor.broadcast == Broadcast::Batch)
      continue;
    auto [position, inserted] = binding.packs.emplace(dim.name, pack);
    if (!inserted && position->second != pack)
      return misfit(tensor, shape) + ": '" + printDim(dim) + "' is " + printShape(position->second) + " already";
  }
  return {};
}

/// Joins the sizes of inputs that broadcast; names that an input without broadcast bound keep their sizes.
class BroadcastJoin {
public:
  BroadcastJoin(ShapeBinding &binding) : binding(binding), exact(binding) {}

  std::string add(const ContractTensor &tensor, const Shape &shape) {
    bool hasPack = !tensor.shape.empty() && tensor.shape.front().kind == ContractDim::Pack;
    size_t singles = tensor.shape.size() - hasPack;
    if (!hasPack && shape.size() > singles)
      return misfit(tensor, shape);
    // From the right; missing dimensions on the left count as 1. Those beside the pack of a batch are bound already.
    const bool isBatch = tensor.broadcast == Broadcast::Batch;
    size_t rest = isBatch ? shape.size() - singles : shape.size();
    for (size_t i = 0; i < singles && !isBatch; ++i) {
      const ContractDim &dim = tensor.shape[tensor.shape.size() - 1 - i];
      int64_t size = rest > 0 ? shape[--rest] : 1;
      if (!joinSymbol(dim, size))
        return misfit(tensor, shape) + ": '" + printDim(dim) + "' has another size already";
    }
    if (hasPack &&
        !joinPack(tensor.shape.front().name, Shape(shape.begin(), shape.begin() + static_cast<ptrdiff_t>(rest))))
      return misfit(tensor, shape) + ": it does not broadcast with the other inputs";
    return {};
  }

private:
  bool joinSymbol(const ContractDim &dim, int64_t size) {
    if (dim.kind == ContractDim::Fixed)
      return size == 1 || size == dim.size;
    bool fixed = exact.symbols.count(dim.name);
    return joinSize(binding.symbols.emplace(dim.name, 1).first->second, size, fixed);
  }

  bool joinPack(const std::string &name, const Shape &shape) {
    bool fixed = exact.packs.count(name);
    Shape &joined = binding.packs[name];
    if (shape.size() > joined.size()) {
      if (fixed)
        return false;
      joined.insert(joined.begin(), shape.size() - joined.size(), 1);
    }
    size_t offset = joined.size() - shape.size();
    for (size_t i = 0; i < shape.size(); ++i)
      if (!joinSize(joined[offset + i], shape[i], fixed))
        return false;
    return true;
  }

  static bool joinSize(int64_t &joined, int64_t size, bool fixed) {
    if (size == 1 || size == joined)
      return true;
    if (joined != 1 || fixed)
      return false;
    joined = size;
    return true;
  }

  ShapeBinding &binding;
  const ShapeBinding exact; ///< the binding before the first join
};

static std::string bindInputs(const Contract &contract, const std::vector<std::optional<Shape>> &inputs,
                              ShapeBinding &binding) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ContractTensor &tensor = contract.inputs[i];
    if (!inputs[i] && tensor.required)
      return "input '" + tensor.name + "' is required, none is given";
    if (!inputs[i])
      continue;
    std::string wrong = checkExtent(tensor, *inputs[i]);
    if (wrong.empty() && (tensor.broadcast == Broadcast::None || tensor.broadcast == Broadcast::Batch))
      wrong = bindExact(tensor, *inputs[i], binding);
    bool isScalar = std::all_of(inputs[i]->begin(), inputs[i]->end(), [](int64_t size) { return size == 1; });
    if (wrong.empty() && tensor.broadcast == Broadcast::Scalar && !isScalar)
      wrong = "'" + tensor.name + "' of shape " + printShape(*inputs[i]) + " has not one element";
    if (!wrong.empty())
      return wrong;
  }
  BroadcastJoin join(binding);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Broadcast broadcast = contract.inputs[i].broadcast;
    if (!inputs[i] || (broadcast != Broadcast::Numpy && broadcast != Broadcast::Batch))
      continue;
    std::string wrong = join.add(contract.inputs[i], *inputs[i]);
    if (!wrong.empty())
      return wrong;
  }
  return {};
}

/// Binds or checks the symbol of each equation whose operands are known, until nothing changes. Equations have no
/// cycles (contract_c33).
static std::string applyEquations(const Contract &contract, ShapeBinding &binding) {
  const std::vector<SizeEquation> equations = equationsOf(contract);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const SizeEquation &equation : equations) {
      int64_t value = 0;
      EvalStatus status = evaluate(equation.value, binding.symbols, value);
      if (status == EvalStatus::BadProgram)
        continue; // waits for another symbol, or for an optional input that was left out
      if (status != EvalStatus::Ok)
        return "the equation of '" + equation.name + "' has no value: " + std::string(evalStatusText(status));
      auto [position, inserted] = binding.symbols.emplace(equation.name, value);
      changed |= inserted;
      if (position->second != value)
        return "'" + equation.name + "' is " + std::to_string(position->second) +
               (equation.name.find('+') != std::string::npos   ? ", its terms give "
                : equation.name.find('*') != std::string::npos ? ", its factors give "
                                                               : ", its equation gives ") +
               std::to_string(value);
    }
  }
  return {};
}

static std::string checkRange(const ContractDimension &dimension, const std::string &name, int64_t size) {
  if (size >= dimension.minimum && size <= dimension.maximum)
    return {};
  std::string range = dimension.maximum == INT64_MAX
                          ? "at least " + std::to_string(dimension.minimum)
                          : std::to_string(dimension.minimum) + " to " + std::to_string(dimension.maximum);
  return "'" + name + "' has to be " + range + ", it is " + std::to_string(size);
}

static std::string checkRanges(const Contract &contract, const ShapeBinding &binding) {
  for (const auto &[name, size] : binding.symbols)
    if (size < 0)
      return "'" + name + "' is negative: " + std::to_string(size);
  for (const ContractDimension &dimension : contract.dimensions) {
    auto symbol = binding.symbols.find(dimension.name);
    if (!dimension.isPack && symbol != binding.symbols.end()) {
      std::string wrong = checkRange(dimension, dimension.name, symbol->second);
      if (!wrong.empty())
        return wrong;
    }
    auto pack = binding.packs.find(dimension.name);
    if (!dimension.isPack || pack == binding.packs.end())
      continue;
    size_t rank = pack->second.size();
    if (rank < dimension.minimumRank || rank > dimension.maximumRank)
      return "'..." + dimension.name + "' has to have " + std::to_string(dimension.minimumRank) + " to " +
             std::to_string(dimension.maximumRank) + " dimensions, it has " + std::to_string(rank);
    for (int64_t size : pack->second) {
      std::string wrong = checkRange(dimension, "..." + dimension.name, size);
      if (!wrong.empty())
        return wrong;
    }
  }
  return {};
}

/// Refuses empty tensors where the contract does.
static std::string checkEmpty(const Contract &contract, const std::vector<std::optional<Shape>> &inputs) {
  if (contract.boundary.empty == ContractBoundary::Empty::Allowed)
    return {};
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] && std::find(inputs[i]->begin(), inputs[i]->end(), 0) != inputs[i]->end())
      return "'" + contract.inputs[i].name + "' has no elements, and the contract refuses empty tensors";
  return {};
}

std::string bindShapes(const Contract &contract, const std::vector<std::optional<Shape>> &inputs,
                       ShapeBinding &binding) {
  binding = {};
  if (inputs.size() != contract.inputs.size())
    return std::to_string(contract.inputs.size()) + " inputs are expected, " + std::to_string(inputs.size()) +
           " are given";
  std::string wrong = bindInputs(contract, inputs, binding);
  if (wrong.empty())
    wrong = applyEquations(contract, binding);
  if (wrong.empty())
    wrong = checkRanges(contract, binding);
  if (wrong.empty())
    wrong = checkEmpty(contract, inputs);
  return wrong;
}

std::optional<Shape> outputShape(const ContractTensor &output, const ShapeBinding &binding, std::string &reason) {
  Shape shape;
  for (const ContractDim &dim : output.shape) {
    if (dim.kind == ContractDim::Fixed) {
      shape.push_back(dim.size);
      continue;
    }
    if (dim.kind == ContractDim::Pack) {
      auto pack = binding.packs.find(dim.name);
      if (pack == binding.packs.end())
        return reason = "'" + printDim(dim) + "' of '" + output.name + "' is not known", std::nullopt;
      shape.insert(shape.end(), pack->second.begin(), pack->second.end());
      continue;
    }
    auto symbol = binding.symbols.find(dim.name);
    if (symbol == binding.symbols.end())
      return reason = "'" + dim.name + "' of '" + output.name + "' is not known", std::nullopt;
    shape.push_back(symbol->second);
  }
  reason = checkExtent(output, shape);
  if (!reason.empty())
    return std::nullopt;
  return shape;
}

std::optional<Shape> reducedShape(const Shape &input, const std::vector<int64_t> &axes, bool keepDims,
                                  std::string &reason) {
  int64_t rank = static_cast<int64_t>(input.size());
  std::vector<bool> reduced(input.size(), axes.empty());
  for (int64_t axis : axes) {
    int64_t position = axis < 0 ? axis + rank : axis;
    if (position < 0 || position >= rank)
      return reason = "axis " + std::to_string(axis) + " is outside of rank " + std::to_string(rank), std::nullopt;
    if (reduced[static_cast<size_t>(position)])
      return reason = "axis " + std::to_string(axis) + " is given twice", std::nullopt;
    reduced[static_cast<size_t>(position)] = true;
  }
  Shape shape;
  for (size_t i = 0; i < input.size(); ++i) {
    if (!reduced[i])
      shape.push_back(input[i]);
    else if (keepDims)
      shape.push_back(1);
  }
  return shape;
}

std::optional<StaticShapes> completeShapes(const Contract &contract, const StaticShapes &inputs, std::string &reason) {
  StaticShapes shapes;
  std::vector<std::optional<Shape>> given;
  for (const ContractTensor &tensor : contract.inputs) {
    auto shape = inputs.find(tensor.name);
    bool has = shape != inputs.end();
    given.push_back(has ? std::optional(shape->second) : std::nullopt);
    if (has)
      shapes[tensor.name] = shape->second;
  }
  ShapeBinding binding;
  reason = bindShapes(contract, given, binding);
  if (!reason.empty())
    return std::nullopt;
  for (const ContractTensor &tensor : contract.outputs) {
    if (tensor.isReduced())
      continue;
    std::optional<Shape> shape = outputShape(tensor, binding, reason);
    if (!shape)
      return std::nullopt;
    shapes[tensor.name] = *shape;
  }
  for (const ContractTensor &tensor : contract.workspace) {
    std::optional<Shape> shape = outputShape(tensor, binding, reason);
    if (!shape)
      return std::nullopt;
    shapes[tensor.name] = *shape;
  }
  for (const auto &[name, shape] : shapes) {
    bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    int64_t elements = 1;
    for (int64_t size : shape)
      if (!empty && __builtin_mul_overflow(elements, size, &elements)) {
        reason = "'" + name + "' of shape " + printShape(shape) + " has more elements than 64 bits count";
        return std::nullopt;
      }
    if (empty && contract.boundary.empty == ContractBoundary::Empty::Refused) {
      reason =
          "'" + name + "' of shape " + printShape(shape) + " has no elements, and the contract refuses empty tensors";
      return std::nullopt;
    }
  }
  return shapes;
}

} // namespace opc
