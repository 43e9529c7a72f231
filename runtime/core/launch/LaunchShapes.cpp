#include "runtime/core/launch/LaunchShapes.h"

#include <algorithm>

namespace opc {

std::string dimsText(const std::vector<ManifestDim> &dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    text += i ? ", " : "";
    switch (dims[i].kind) {
    case ManifestDim::Symbol:
      text += dims[i].name;
      break;
    case ManifestDim::Fixed:
      text += std::to_string(dims[i].size);
      break;
    case ManifestDim::Pack:
      text += "..." + dims[i].name;
      break;
    }
  }
  return text + "]";
}

static std::string quoted(const std::string &name) {
  return "'" + printable(name) + "'";
}

bool LaunchShapes::bindSymbol(const std::string &name, int64_t value, const std::string &from,
                              const ManifestTensor &tensor) {
  auto [entry, fresh] = symbols.try_emplace(name, Bound{value, from, true});
  if (fresh || entry->second.value == value)
    return true;
  diagnostics.error(Code::E0523, {},
                    "expects one size for " + quoted(name) + ": " + from + " is " + std::to_string(value) + ", " +
                        entry->second.from + " is " + std::to_string(entry->second.value),
                    "launch_c2");
  return false;
}

/// Tiling functions support at most eight dimensions.
bool LaunchShapes::checkRank(const ManifestTensor &tensor, const Shape &shape) {
  if (shape.size() <= kMaxManifestRank)
    return true;
  diagnostics.error(Code::E0523, {},
                    quoted(tensor.name) + " expects at most " + std::to_string(kMaxManifestRank) +
                        " dimensions, found " + std::to_string(shape.size()),
                    "launch_c15");
  return false;
}

bool LaunchShapes::bind(const ManifestTensor &tensor, const Shape &shape) {
  if (!checkRank(tensor, shape))
    return false;
  shapes[tensor.name] = shape;
  bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (empty && manifest.refusesEmpty) {
    diagnostics.error(Code::E0524, {},
                      "input " + quoted(tensor.name) + " of shape " + shapeText(shape) +
                          " has no elements, and the contract refuses empty tensors",
                      "launch_c18");
    return false;
  }
  switch (tensor.broadcast) {
  case ManifestTensor::None:
  case ManifestTensor::Batch: // its pack is joined in solve
    return bindExact(tensor, shape);
  case ManifestTensor::Numpy:
    return true; // joined in solve, once the other inputs are bound
  case ManifestTensor::Scalar:
    if (std::all_of(shape.begin(), shape.end(), [](int64_t size) { return size == 1; }))
      return true;
    diagnostics.error(Code::E0523, {},
                      "input " + quoted(tensor.name) + " expects one element, found shape " + shapeText(shape),
                      "launch_c13");
    return false;
  }
  return false;
}

bool LaunchShapes::bindExact(const ManifestTensor &tensor, const Shape &shape) {
  size_t packCount = 0;
  for (const ManifestDim &dim : tensor.shape)
    packCount += dim.kind == ManifestDim::Pack;
  size_t single = tensor.shape.size() - packCount;
  std::string found = "found " + shapeText(shape);
  if (packCount > 1) {
    diagnostics.error(Code::E0501, {}, "input " + quoted(tensor.name) + " has two packs in the manifest");
    return false;
  }
  if (packCount ? shape.size() < single : shape.size() != single) {
    diagnostics.error(Code::E0523, {},
                      "input " + quoted(tensor.name) + " expects shape " + dimsText(tensor.shape) + ", " +
                          (packCount ? "at least " : "") + std::to_string(single) + " dimensions: " + found,
                      "launch_c1");
    return false;
  }
  size_t at = 0;
  for (const ManifestDim &dim : tensor.shape) {
    std::string from = "dimension " + std::to_string(at) + " of " + quoted(tensor.name);
    if (dim.kind == ManifestDim::Pack) {
      Shape dims(shape.begin() + at, shape.begin() + at + (shape.size() - single));
      at += dims.size();
      if (tensor.broadcast == ManifestTensor::Batch)
        continue;
      std::string whole = "input " + quoted(tensor.name);
      auto [entry, fresh] = packs.try_emplace(dim.name, BoundPack{dims, whole, true, {}});
      if (fresh || entry->second.dims == dims)
        continue;
      diagnostics.error(Code::E0523, {},
                        "expects one shape for '..." + printable(dim.name) + "': " + whole + " has " + shapeText(dims) +
                            ", " + entry->second.from + " has " + shapeText(entry->second.dims),
                        "launch_c2");
      return false;
    }
    int64_t size = shape[at++];
    if (dim.kind == ManifestDim::Symbol) {
      if (!bindSymbol(dim.name, size, from, tensor))
        return false;
    } else if (size != dim.size) {
      diagnostics.error(Code::E0523, {},
                        "input " + quoted(tensor.name) + " expects shape " + dimsText(tensor.shape) + ": " + from +
                            " is " + std::to_string(size),
                        "launch_c1");
      return false;
    }
  }
  return true;
}

bool LaunchShapes::checkRange(const ManifestSymbol &symbol) {
  auto check = [&](int64_t value, const std::string &from) {
    if (value >= symbol.minimum && value <= symbol.maximum)
      return true;
    std::string range = "at least " + std::to_string(symbol.minimum);
    if (symbol.maximum != INT64_MAX)
      range = std::to_string(symbol.minimum) + " to " + std::to_string(symbol.maximum);
    diagnostics.error(Code::E0524, {},
                      "expects " + quoted(symbol.name) + " to be " + range + ": " + from + " is " +
                          std::to_string(value),
                      symbol.label);
    return false;
  };
  if (auto bound = symbols.find(symbol.name); bound != symbols.end())
    return check(bound->second.value, bound->second.from);
  auto pack = packs.find(symbol.name);
  if (pack == packs.end())
    return true;
  for (int64_t size : pack->second.dims)
    if (!check(size, "a dimension of " + pack->second.from))
      return false;
  size_t rank = pack->second.dims.size();
  if (rank >= symbol.minimumRank && rank <= symbol.maximumRank)
    return true;
  diagnostics.error(Code::E0524, {},
                    "expects '..." + printable(symbol.name) + "' to have " + std::to_string(symbol.minimumRank) +
                        " to " + std::to_string(symbol.maximumRank) + " dimensions: " + pack->second.from + " has " +
                        std::to_string(rank),
                    symbol.label);
  return false;
}

/// Runs the straight-line code of an equation on registers that start with the inputs.
static EvalStatus evaluate(const ManifestSymbol &symbol, std::vector<int64_t> registers, int64_t &result) {
  registers.resize(std::max<size_t>(symbol.numRegisters, registers.size()));
  auto inside = [&](int64_t index) { return index >= 0 && size_t(index) < registers.size(); };
  for (const ScalarInstruction &step : symbol.code) {
    if (step.op > ScalarOp::Eq || !inside(step.dst))
      return EvalStatus::BadProgram;
    if (step.op == ScalarOp::Const) {
      result = registers[step.dst] = step.imm;
      continue;
    }
    bool select = step.op == ScalarOp::Select;
    if (!inside(step.a) || !inside(step.b) || (select && !inside(step.imm)))
      return EvalStatus::BadProgram;
    int64_t third = select ? registers[size_t(step.imm)] : 0;
    EvalStatus status = evalInteger(step.op, registers[step.a], registers[step.b], third, result);
    if (status != EvalStatus::Ok)
      return status;
    registers[step.dst] = result;
  }
  return EvalStatus::Ok;
}

LaunchShapes::Equation LaunchShapes::applyEquation(const ManifestSymbol &symbol) {
  std::vector<int64_t> inputs;
  std::string known;
  for (const std::string &name : symbol.inputs) {
    auto bound = symbols.find(name);
    if (bound == symbols.end())
      return Equation::Waiting;
    inputs.push_back(bound->second.value);
    known += (known.empty() ? "" : ", ") + printable(name) + " = " + std::to_string(bound->second.value);
  }
  int64_t value = 0;
  EvalStatus status = evaluate(symbol, std::move(inputs), value);
  if (status != EvalStatus::Ok) {
    diagnostics.error(status == EvalStatus::BadProgram ? Code::E0528 : Code::E0524, {},
                      "the equation of " + quoted(symbol.name) + " has no value for " + known + ": " +
                          std::string(evalStatusText(status)),
                      symbol.label);
    return Equation::Failed;
  }
  auto [entry, fresh] = symbols.try_emplace(symbol.name, Bound{value, "the equation of " + quoted(symbol.name), true});
  if (fresh || entry->second.value == value)
    return Equation::Solved;
  bool isSum = symbol.name.find('+') != std::string::npos, isProduct = symbol.name.find('*') != std::string::npos;
  diagnostics.error(Code::E0524, {},
                    "expects " + quoted(symbol.name) + " to " +
                        (isSum       ? "be the sum of its terms, "
                         : isProduct ? "be the product of its factors, "
                                     : "satisfy its equation, ") +
                        std::to_string(value) + " for " + known + ": " + entry->second.from + " is " +
                        std::to_string(entry->second.value),
                    symbol.label);
  return Equation::Failed;
}

bool LaunchShapes::solve() {
  auto joins = [](const ManifestTensor &input) {
    return input.broadcast == ManifestTensor::Numpy || input.broadcast == ManifestTensor::Batch;
  };
  for (const ManifestTensor &input : manifest.inputs)
    if (auto shape = shapes.find(input.name); joins(input) && shape != shapes.end() && !join(input, shape->second))
      return false;
  std::vector<const ManifestSymbol *> open;
  for (const ManifestSymbol &symbol : manifest.symbols)
    if (!symbol.code.empty())
      open.push_back(&symbol);
  // Repeat until a round solves no equation.
  for (bool progress = true; progress && !open.empty();) {
    progress = false;
    std::vector<const ManifestSymbol *> waiting;
    for (const ManifestSymbol *symbol : open) {
      switch (applyEquation(*symbol)) {
      case Equation::Waiting:
        waiting.push_back(symbol);
        break;
      case Equation::Solved:
        progress = true;
        break;
      case Equation::Failed:
        return false;
      }
    }
    open = std::move(waiting);
  }
  bool fits = true;
  for (const ManifestSymbol &symbol : manifest.symbols)
    fits &= checkRange(symbol);
  return fits;
}

std::optional<Shape> LaunchShapes::inferReduced(const ManifestTensor &output) {
  const ManifestReduction &reduction = *output.reduces;
  auto input = shapes.find(reduction.input);
  auto axes = attributes.find(reduction.axes), keep = attributes.find(reduction.keepDims);
  if (input == shapes.end() || axes == attributes.end()) {
    diagnostics.error(Code::E0501, {},
                      "output " + quoted(output.name) + " reduces " + quoted(reduction.input) + " over " +
                          quoted(reduction.axes) + ", and one of these does not exist");
    return std::nullopt;
  }
  std::vector<int64_t> list;
  if (const auto *one = std::get_if<int64_t>(&axes->second))
    list = {*one};
  else if (const auto *several = std::get_if<std::vector<int64_t>>(&axes->second))
    list = *several;
  const Shape &shape = input->second;
  int64_t rank = static_cast<int64_t>(shape.size());
  std::vector<bool> &flags = reducing[reduction.input];
  flags.assign(shape.size(), list.empty());
  for (int64_t axis : list) {
    int64_t position = axis < 0 ? axis + rank : axis;
    bool inside = position >= 0 && position < rank;
    if (inside && !flags[size_t(position)]) {
      flags[size_t(position)] = true;
      continue;
    }
    diagnostics.error(Code::E0535, {},
                      quoted(reduction.axes) + " expects axes of " + quoted(reduction.input) +
                          ", each once: " + std::to_string(axis) + (inside ? " is there twice" : " is not one") +
                          ", the shape is " + shapeText(shape),
                      "launch_c14");
    return std::nullopt;
  }
  const bool *kept = keep == attributes.end() ? nullptr : std::get_if<bool>(&keep->second);
  Shape result;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!flags[i])
      result.push_back(shape[i]);
    else if (kept && *kept)
      result.push_back(1);
  return result;
}

const std::vector<bool> &LaunchShapes::reduced(const std::string &input) const {
  static const std::vector<bool> none;
  auto found = reducing.find(input);
  return found == reducing.end() ? none : found->second;
}

int64_t LaunchShapes::sizeOf(const std::string &symbol) const {
  auto found = symbols.find(symbol);
  return found == symbols.end() ? 0 : found->second.value;
}

std::optional<Shape> LaunchShapes::infer(const ManifestTensor &tensor) {
  if (tensor.reduces) {
    std::optional<Shape> reduced = inferReduced(tensor);
    if (!reduced || tensor.shape.empty())
      return reduced;
  }
  Shape shape;
  for (const ManifestDim &dim : tensor.shape) {
    if (dim.kind == ManifestDim::Fixed) {
      shape.push_back(dim.size);
      continue;
    }
    if (dim.kind == ManifestDim::Pack) {
      if (auto pack = packs.find(dim.name); pack != packs.end()) {
        shape.insert(shape.end(), pack->second.dims.begin(), pack->second.dims.end());
        continue;
      }
    } else if (auto bound = symbols.find(dim.name); bound != symbols.end()) {
      if (bound->second.value >= 0) {
        shape.push_back(bound->second.value);
        continue;
      }
      diagnostics.error(Code::E0524, {},
                        "a size is at least 0: " + quoted(dim.name) + " is " + std::to_string(bound->second.value),
                        "launch_c4");
      return std::nullopt;
    }
    diagnostics.error(Code::E0523, {},
                      "no input says the size of " + quoted(dim.name) + " in the shape " + dimsText(tensor.shape) +
                          " of output " + quoted(tensor.name),
                      "launch_c3");
    return std::nullopt;
  }
  if (!checkRank(tensor, shape))
    return std::nullopt;
  return shape;
}

} // namespace opc
