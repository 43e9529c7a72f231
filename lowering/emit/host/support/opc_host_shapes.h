// Checks the shapes of a launch against the contract: the host side of every operator that opc emits.
//
// A signature is data: the names of sizes, a pattern for each tensor, bounds, equations. `Bind` determines the value
// of each name or reports an error; `OutputShape` and `Reduce` compute output shapes from the values. Before a
// launch, a size (-1) or a rank may be unknown. Values that depend on it then stay unknown, which is no error. C++11
// and the standard library only.
#ifndef OPC_HOST_SHAPES_H
#define OPC_HOST_SHAPES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opc_host {

constexpr int64_t kUnknown = -1;
constexpr int64_t kLargest = INT64_MAX;
constexpr size_t kMaxRank = 8;

/// The shape of one tensor; `given` is false for an omitted tensor.
struct Shape {
  bool given = true;
  bool rankKnown = true;
  std::vector<int64_t> sizes;
};

/// An item of a pattern: a symbol or a pack, by the index of its name, or a fixed size.
struct Dim {
  enum Kind { Symbol, Fixed, Pack };
  Kind kind;
  int64_t value;
};

struct Tensor {
  enum Fit { Exact, Numpy, Scalar, Batch };
  const char *name;
  std::vector<Dim> shape;
  Fit fit;
  bool required;
};

struct Bounds {
  int64_t name; ///< index of a symbol or of a pack
  bool isPack;
  int64_t minimum, maximum;
  size_t minimumRank, maximumRank; ///< packs only
};

/// value(symbols, result) returns false if it overflows or divides by zero. All of `reads` must be known.
struct Equation {
  int64_t symbol;
  std::vector<int64_t> reads;
  bool (*value)(const int64_t *symbols, int64_t &result);
};

struct Signature {
  std::vector<const char *> symbols, packs;
  std::vector<Tensor> inputs;
  std::vector<Bounds> bounds;
  std::vector<Equation> equations;
  bool emptyAllowed;
};

/// The values of the names. `bound` distinguishes a name without a value from a name whose value is still unknown.
struct Binding {
  std::vector<int64_t> symbols;
  std::vector<bool> symbolBound;
  std::vector<Shape> packs;
  std::vector<bool> packBound;
};

/// Integer arithmetic of equations; records overflow and division by zero.
class Math {
public:
  bool Ok() const { return ok; }
  int64_t Add(int64_t a, int64_t b) { return __builtin_add_overflow(a, b, &r) ? Fail() : r; }
  int64_t Sub(int64_t a, int64_t b) { return __builtin_sub_overflow(a, b, &r) ? Fail() : r; }
  int64_t Mul(int64_t a, int64_t b) { return __builtin_mul_overflow(a, b, &r) ? Fail() : r; }
  int64_t FloorDiv(int64_t a, int64_t b) {
    return Divides(a, b) ? a / b - (a % b != 0 && (a % b < 0) != (b < 0)) : Fail();
  }
  int64_t CeilDiv(int64_t a, int64_t b) {
    return Divides(a, b) ? a / b + (a % b != 0 && (a % b < 0) == (b < 0)) : Fail();
  }
  int64_t Rem(int64_t a, int64_t b) { return Divides(a, b) ? a % b : Fail(); }
  int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
  int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
  int64_t Lt(int64_t a, int64_t b) { return a < b; }
  int64_t Eq(int64_t a, int64_t b) { return a == b; }
  int64_t Select(int64_t condition, int64_t a, int64_t b) { return condition != 0 ? a : b; }

private:
  int64_t Fail() {
    ok = false;
    return 0;
  }
  static bool Divides(int64_t a, int64_t b) { return b != 0 && !(a == INT64_MIN && b == -1); }
  bool ok = true;
  int64_t r = 0;
};

inline std::string Print(const Shape &shape) {
  if (!shape.rankKnown)
    return "[...]";
  std::string text;
  for (int64_t size : shape.sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

inline std::string Print(const Signature &signature, const std::vector<Dim> &pattern) {
  std::string text;
  for (const Dim &dim : pattern) {
    text += text.empty() ? "" : ", ";
    if (dim.kind == Dim::Fixed)
      text += std::to_string(dim.value);
    else if (dim.kind == Dim::Pack)
      text += std::string("...") + signature.packs[static_cast<size_t>(dim.value)];
    else
      text += signature.symbols[static_cast<size_t>(dim.value)];
  }
  return "[" + text + "]";
}

inline bool IsPack(const Tensor &tensor, size_t position) {
  return position < tensor.shape.size() && tensor.shape[position].kind == Dim::Pack;
}

inline size_t Singles(const Tensor &tensor) {
  size_t count = 0;
  for (const Dim &dim : tensor.shape)
    count += dim.kind != Dim::Pack;
  return count;
}

/// Sets a size that is still unknown, or checks that it is the same.
inline bool Agree(int64_t &known, int64_t size) {
  if (size == kUnknown)
    return true;
  if (known == kUnknown)
    known = size;
  return known == size;
}

inline bool AgreePack(Shape &known, const Shape &found) {
  if (!known.rankKnown) {
    known = found;
    return true;
  }
  if (known.sizes.size() != found.sizes.size())
    return false;
  for (size_t i = 0; i < found.sizes.size(); ++i)
    if (!Agree(known.sizes[i], found.sizes[i]))
      return false;
  return true;
}

/// An input without broadcasting, or what stands beside the pack of a batch: its sizes must match the pattern.
inline bool BindExact(const Tensor &tensor, const Shape &shape, Binding &binding) {
  size_t singles = Singles(tensor), rank = shape.sizes.size();
  bool hasPack = singles != tensor.shape.size();
  if (rank < singles || (!hasPack && rank != singles))
    return false;
  size_t next = 0;
  for (const Dim &dim : tensor.shape) {
    size_t name = static_cast<size_t>(dim.value);
    if (dim.kind == Dim::Pack) {
      Shape found;
      for (size_t i = singles; i < rank; ++i)
        found.sizes.push_back(shape.sizes[next++]);
      if (tensor.fit == Tensor::Batch)
        continue;
      if (binding.packBound[name] && !AgreePack(binding.packs[name], found))
        return false;
      if (!binding.packBound[name])
        binding.packs[name] = found;
      binding.packBound[name] = true;
      continue;
    }
    int64_t size = shape.sizes[next++];
    if (dim.kind == Dim::Fixed) {
      if (size != kUnknown && size != dim.value)
        return false;
      continue;
    }
    binding.symbolBound[name] = true;
    if (!Agree(binding.symbols[name], size))
      return false;
  }
  return true;
}

/// A size of an input that broadcasts, where 1 is stretched. `exact`: the size comes from an input without
/// broadcasting.
inline bool Join(int64_t &joined, int64_t size, bool exact) {
  if (size == 1 || size == joined || size == kUnknown) {
    // An unknown size may turn out to be the larger one.
    if (size == kUnknown && joined == 1 && !exact)
      joined = kUnknown;
    return true;
  }
  if (joined == kUnknown) {
    joined = exact ? joined : size;
    return true;
  }
  if (joined != 1 || exact)
    return false;
  joined = size;
  return true;
}

/// An input that broadcasts, aligned to the right; `exact` is the binding before the first such input.
inline bool BindJoined(const Tensor &tensor, const Shape &shape, const Binding &exact, Binding &binding) {
  bool hasPack = IsPack(tensor, 0);
  size_t singles = Singles(tensor), rest = shape.sizes.size();
  if (!hasPack && rest > singles)
    return false;
  // Of a batch the pack alone broadcasts.
  const bool isBatch = tensor.fit == Tensor::Batch;
  if (isBatch)
    rest -= singles;
  for (size_t i = 0; i < singles && !isBatch; ++i) {
    const Dim &dim = tensor.shape[tensor.shape.size() - 1 - i];
    size_t name = static_cast<size_t>(dim.value);
    int64_t size = rest > 0 ? shape.sizes[--rest] : 1;
    if (dim.kind == Dim::Fixed) {
      if (size != 1 && size != kUnknown && size != dim.value)
        return false;
      continue;
    }
    if (!binding.symbolBound[name])
      binding.symbols[name] = 1;
    binding.symbolBound[name] = true;
    if (!Join(binding.symbols[name], size, exact.symbolBound[name]))
      return false;
  }
  if (!hasPack)
    return true;
  size_t name = static_cast<size_t>(tensor.shape[0].value);
  Shape &joined = binding.packs[name];
  bool fixed = exact.packBound[name];
  binding.packBound[name] = true;
  if (!joined.rankKnown)
    return true;
  if (rest > joined.sizes.size()) {
    if (fixed)
      return false;
    joined.sizes.insert(joined.sizes.begin(), rest - joined.sizes.size(), 1);
  }
  size_t offset = joined.sizes.size() - rest;
  for (size_t i = 0; i < rest; ++i)
    if (!Join(joined.sizes[offset + i], shape.sizes[i], fixed))
      return false;
  return true;
}

/// A tensor of unknown rank leaves its names bound to unknown values.
inline void BindUnknown(const Tensor &tensor, Binding &binding) {
  for (const Dim &dim : tensor.shape) {
    size_t name = static_cast<size_t>(dim.value);
    if (dim.kind == Dim::Symbol)
      binding.symbolBound[name] = true;
    if (dim.kind == Dim::Pack && (!binding.packBound[name] || tensor.fit != Tensor::Exact)) {
      binding.packBound[name] = true;
      binding.packs[name].rankKnown = false;
    }
  }
}

/// Whether elements of eight bytes would take more bytes than 64 bits can count; unknown sizes count as 1.
inline bool IsHuge(const Shape &shape) {
  int64_t bytes = 8;
  bool empty = false, overflows = false;
  for (int64_t size : shape.sizes) {
    empty = empty || size == 0;
    overflows = overflows || (size > 0 && __builtin_mul_overflow(bytes, size, &bytes));
  }
  return overflows && !empty;
}

/// Checks the rank, the sizes, and that 64 bits can count the bytes.
inline std::string CheckExtent(const Tensor &tensor, const Shape &shape) {
  if (shape.sizes.size() > kMaxRank)
    return std::string("'") + tensor.name + "' has more than 8 dimensions";
  for (int64_t size : shape.sizes)
    if (size < kUnknown)
      return std::string("'") + tensor.name + "' has a negative size: " + Print(shape);
  if (IsHuge(shape))
    return std::string("'") + tensor.name + "' of shape " + Print(shape) + " has more bytes than 64 bits count";
  return std::string();
}

inline bool IsScalar(const Shape &shape) {
  for (int64_t size : shape.sizes)
    if (size != 1 && size != kUnknown)
      return false;
  return true;
}

inline std::string BindInputs(const Signature &signature, const std::vector<Shape> &inputs, Binding &binding) {
  for (int pass = 0; pass < 2; ++pass) {
    const Binding exact = binding;
    for (size_t i = 0; i < signature.inputs.size(); ++i) {
      const Tensor &tensor = signature.inputs[i];
      const Shape &shape = inputs[i];
      if (!shape.given) {
        if (tensor.required)
          return std::string("input '") + tensor.name + "' is required, none is given";
        continue;
      }
      std::string wrong = CheckExtent(tensor, shape);
      if (!wrong.empty())
        return wrong;
      if (tensor.fit == Tensor::Scalar) {
        if (shape.rankKnown && !IsScalar(shape))
          return std::string("'") + tensor.name + "' of shape " + Print(shape) + " has not one element";
        continue;
      }
      if (tensor.fit != Tensor::Batch && (tensor.fit == Tensor::Numpy) != (pass == 1))
        continue;
      if (!shape.rankKnown)
        BindUnknown(tensor, binding);
      else if (pass == 0 ? !BindExact(tensor, shape, binding) : !BindJoined(tensor, shape, exact, binding))
        return std::string("'") + tensor.name + "' of shape " + Print(shape) + " does not fit " +
               Print(signature, tensor.shape);
    }
  }
  return std::string();
}

/// Evaluates equations whose symbols are known, and sets or checks the value of their result.
inline std::string Solve(const Signature &signature, Binding &binding) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Equation &equation : signature.equations) {
      bool ready = true, known = true;
      for (int64_t read : equation.reads) {
        ready = ready && binding.symbolBound[static_cast<size_t>(read)];
        known = known && binding.symbols[static_cast<size_t>(read)] != kUnknown;
      }
      size_t symbol = static_cast<size_t>(equation.symbol);
      if (!ready)
        continue;
      changed = changed || !binding.symbolBound[symbol];
      binding.symbolBound[symbol] = true;
      int64_t value = 0;
      if (!known)
        continue;
      if (!equation.value(binding.symbols.data(), value) || value < 0)
        return std::string("the equation of '") + signature.symbols[symbol] + "' has no value";
      bool fresh = binding.symbols[symbol] == kUnknown;
      changed = changed || fresh;
      if (fresh)
        binding.symbols[symbol] = value;
      if (binding.symbols[symbol] != value)
        return std::string("'") + signature.symbols[symbol] + "' is " + std::to_string(binding.symbols[symbol]) +
               (std::string(signature.symbols[symbol]).find('+') != std::string::npos   ? ", its terms give "
                : std::string(signature.symbols[symbol]).find('*') != std::string::npos ? ", its factors give "
                                                                                        : ", its equation gives ") +
               std::to_string(value);
    }
  }
  return std::string();
}

inline bool Within(const Bounds &bounds, int64_t size) {
  return size == kUnknown || (size >= bounds.minimum && size <= bounds.maximum);
}

inline std::string CheckBounds(const Signature &signature, const Binding &binding) {
  for (const Bounds &bounds : signature.bounds) {
    size_t name = static_cast<size_t>(bounds.name);
    if (!bounds.isPack) {
      if (binding.symbolBound[name] && !Within(bounds, binding.symbols[name]))
        return std::string("'") + signature.symbols[name] + "' has to be from " + std::to_string(bounds.minimum) +
               " to " + std::to_string(bounds.maximum) + ", it is " + std::to_string(binding.symbols[name]);
      continue;
    }
    const Shape &pack = binding.packs[name];
    if (!binding.packBound[name] || !pack.rankKnown)
      continue;
    bool good = pack.sizes.size() >= bounds.minimumRank && pack.sizes.size() <= bounds.maximumRank;
    for (int64_t size : pack.sizes)
      good = good && Within(bounds, size);
    if (!good)
      return std::string("'...") + signature.packs[name] + "' is outside of its bounds: " + Print(pack);
  }
  return std::string();
}

/// Determines the values of all names. Returns a description of the error, or an empty text. `inputs` has a shape for
/// each input.
inline std::string Bind(const Signature &signature, const std::vector<Shape> &inputs, Binding &binding) {
  binding.symbols.assign(signature.symbols.size(), kUnknown);
  binding.symbolBound.assign(signature.symbols.size(), false);
  binding.packs.assign(signature.packs.size(), Shape());
  binding.packBound.assign(signature.packs.size(), false);
  std::string wrong = BindInputs(signature, inputs, binding);
  if (wrong.empty())
    wrong = Solve(signature, binding);
  if (wrong.empty())
    wrong = CheckBounds(signature, binding);
  if (!wrong.empty() || signature.emptyAllowed)
    return wrong;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (int64_t size : inputs[i].sizes)
      if (inputs[i].given && size == 0)
        return std::string("'") + signature.inputs[i].name +
               "' has no elements, and the operator refuses empty tensors";
  return std::string();
}

/// The shape of an output, from its pattern.
inline Shape OutputShape(const std::vector<Dim> &pattern, const Binding &binding) {
  Shape shape;
  for (const Dim &dim : pattern) {
    size_t name = static_cast<size_t>(dim.value);
    if (dim.kind == Dim::Fixed) {
      shape.sizes.push_back(dim.value);
    } else if (dim.kind == Dim::Symbol) {
      shape.sizes.push_back(binding.symbols[name]);
    } else {
      const Shape &pack = binding.packs[name];
      shape.rankKnown = shape.rankKnown && pack.rankKnown;
      shape.sizes.insert(shape.sizes.end(), pack.sizes.begin(), pack.sizes.end());
    }
  }
  if (!shape.rankKnown)
    shape.sizes.clear();
  return shape;
}

/// Drops axes, or sets them to 1; no axes mean all axes. False if an axis is out of range or given twice.
inline bool Reduce(const Shape &input, const std::vector<int64_t> &axes, bool keep, Shape &output) {
  output = Shape();
  output.rankKnown = input.rankKnown;
  if (!input.rankKnown)
    return true;
  int64_t rank = static_cast<int64_t>(input.sizes.size());
  std::vector<bool> reduced(input.sizes.size(), axes.empty());
  for (int64_t axis : axes) {
    int64_t position = axis < 0 ? axis + rank : axis;
    if (position < 0 || position >= rank || reduced[static_cast<size_t>(position)])
      return false;
    reduced[static_cast<size_t>(position)] = true;
  }
  for (size_t i = 0; i < input.sizes.size(); ++i) {
    if (!reduced[i])
      output.sizes.push_back(input.sizes[i]);
    else if (keep)
      output.sizes.push_back(1);
  }
  return true;
}

// Sizes that tiling functions take from a launch, in which all sizes are known.

inline int64_t NumElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape.sizes)
    if (size == 0)
      return 0;
  for (int64_t size : shape.sizes)
    if (__builtin_mul_overflow(count, size, &count))
      return kUnknown;
  return count;
}

inline int64_t DimOf(const Shape &shape, int64_t dim) {
  int64_t rank = static_cast<int64_t>(shape.sizes.size());
  int64_t position = dim < 0 ? dim + rank : dim;
  return position < 0 || position >= rank ? 1 : shape.sizes[static_cast<size_t>(position)];
}

/// 1 if the dimension is among the axes, otherwise 0, also if there is no such dimension; no axes mean all axes.
inline int64_t Reduced(const Shape &shape, const std::vector<int64_t> &axes, int64_t dim) {
  int64_t rank = static_cast<int64_t>(shape.sizes.size());
  int64_t position = dim < 0 ? dim + rank : dim;
  if (position < 0 || position >= rank)
    return 0;
  bool found = axes.empty();
  for (int64_t axis : axes)
    found = found || axis == position || axis + rank == position;
  return found;
}

inline int64_t RankOf(const Shape &shape) {
  return static_cast<int64_t>(shape.sizes.size());
}

inline bool AllKnown(const Shape &shape) {
  for (int64_t size : shape.sizes)
    if (size == kUnknown)
      return false;
  return shape.rankKnown;
}

} // namespace opc_host

#endif // OPC_HOST_SHAPES_H
