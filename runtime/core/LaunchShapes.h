// Sizes of a launch: the contract's symbols get their values from the shapes of the inputs.
//
//   manifest   x: [N, 4]   scale: [4]   y: [N, M]      M = 2 * N, 1 <= N <= 1000
//   inputs     x is [7, 4]                             N = 7, M = 14, y is [7, 14]
//
// A pack ("...S") stands for any number of dimensions, also none; a tensor has at most one, so it
// gets what its neighbours leave. A symbol that appears twice must mean one size.

#ifndef OPC_RUNTIME_CORE_LAUNCHSHAPES_H
#define OPC_RUNTIME_CORE_LAUNCHSHAPES_H

#include "runtime/core/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <map>
#include <optional>
#include <string>

namespace opc {

/// "[N, ...S, 4]"
std::string dimsText(const std::vector<ManifestDim> &dims);

class LaunchShapes {
public:
  LaunchShapes(const Manifest &manifest, Diagnostics &diagnostics)
      : manifest(manifest), diagnostics(diagnostics) {}

  /// Takes what an input's shape says; false, with E0523, when it disagrees.
  bool bind(const ManifestTensor &tensor, const Shape &shape);
  /// Computes what equations define and checks ranges and equations; false, with E0524 or E0527.
  bool solve();
  /// The shape of a tensor whose symbols are all known; nothing, with an error, otherwise.
  std::optional<Shape> infer(const ManifestTensor &tensor);

private:
  struct Bound {
    int64_t value;
    std::string from; ///< "dimension 0 of 'x'" or "the equation of 'M'"
  };
  struct BoundPack {
    Shape dims;
    std::string from;
  };
  bool bindSymbol(const std::string &name, int64_t value, const std::string &from,
                  const ManifestTensor &tensor);
  bool checkRange(const ManifestSymbol &symbol);
  enum class Equation { Waiting, Solved, Failed };
  Equation applyEquation(const ManifestSymbol &symbol);

  const Manifest &manifest;
  Diagnostics &diagnostics;
  std::map<std::string, Bound> symbols;
  std::map<std::string, BoundPack> packs;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCHSHAPES_H
