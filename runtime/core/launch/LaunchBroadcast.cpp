// Inputs that broadcast, by NumPy's rule, from the right.
//
// Sizes that an input without broadcast or an equation fixed do not change. Sizes from inputs that broadcast are
// joined: a size other than 1 wins over 1, and all sizes other than 1 must be equal. Of a batch of matrices only the
// pack broadcasts; the sizes beside it are bound as those of other inputs.

#include "runtime/core/launch/LaunchShapes.h"

namespace opc {

static std::string quoted(const std::string &name) {
  return "'" + printable(name) + "'";
}

bool LaunchShapes::joinSize(const ManifestTensor &tensor, const Shape &shape, int64_t size, size_t fromRight,
                            int64_t &joined, bool exact, std::string &from) {
  if (size == 1 || size == joined)
    return true;
  if (joined == 1 && !exact) {
    joined = size;
    from = "input " + quoted(tensor.name);
    return true;
  }
  diagnostics.error(Code::E0523, {},
                    "input " + quoted(tensor.name) + " of shape " + shapeText(shape) +
                        " does not broadcast: dimension -" + std::to_string(fromRight) + " is " + std::to_string(size) +
                        ", that of " + from + " is " + std::to_string(joined),
                    "launch_c13");
  return false;
}

bool LaunchShapes::join(const ManifestTensor &tensor, const Shape &shape) {
  const ManifestDim *pack =
      !tensor.shape.empty() && tensor.shape.front().kind == ManifestDim::Pack ? &tensor.shape.front() : nullptr;
  size_t singles = tensor.shape.size() - (pack != nullptr);
  if (!pack && shape.size() > singles) {
    diagnostics.error(Code::E0523, {},
                      "input " + quoted(tensor.name) + " expects at most " + std::to_string(singles) +
                          " dimensions to broadcast to " + dimsText(tensor.shape) + ": found " + shapeText(shape),
                      "launch_c13");
    return false;
  }
  const bool isBatch = tensor.broadcast == ManifestTensor::Batch;
  size_t rest = isBatch ? shape.size() - singles : shape.size();
  for (size_t i = 0; i < singles && !isBatch; ++i) {
    const ManifestDim &dim = tensor.shape[tensor.shape.size() - 1 - i];
    int64_t size = rest > 0 ? shape[--rest] : 1;
    int64_t fixed = dim.size;
    std::string declared = "the contract";
    if (dim.kind == ManifestDim::Fixed) {
      if (!joinSize(tensor, shape, size, i + 1, fixed, true, declared))
        return false;
      continue;
    }
    Bound &bound = symbols.try_emplace(dim.name, Bound{1, "input " + quoted(tensor.name), false}).first->second;
    if (!joinSize(tensor, shape, size, i + 1, bound.value, bound.exact, bound.from))
      return false;
  }
  if (!pack)
    return true;
  std::string who = "input " + quoted(tensor.name);
  BoundPack &joined = packs.try_emplace(pack->name, BoundPack{{}, who, false, {}}).first->second;
  if (rest > joined.dims.size() && joined.exact) {
    diagnostics.error(Code::E0523, {},
                      who + " of shape " + shapeText(shape) + " does not broadcast: " + joined.from + " has only " +
                          std::to_string(joined.dims.size()) +
                          (joined.dims.size() == 1 ? " dimension" : " dimensions") + " for '..." +
                          printable(pack->name) + "'",
                      "launch_c13");
    return false;
  }
  if (rest > joined.dims.size()) {
    size_t more = rest - joined.dims.size();
    joined.dims.insert(joined.dims.begin(), more, 1);
    joined.sizes.insert(joined.sizes.begin(), more, who);
  }
  joined.sizes.resize(joined.dims.size(), joined.from);
  for (size_t i = 0; i < rest; ++i) {
    size_t at = joined.dims.size() - 1 - i;
    if (!joinSize(tensor, shape, shape[rest - 1 - i], singles + i + 1, joined.dims[at], joined.exact, joined.sizes[at]))
      return false;
  }
  return true;
}

} // namespace opc
