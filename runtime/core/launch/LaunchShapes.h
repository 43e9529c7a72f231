// Sizes of a launch: the contract's symbols get their values from the shapes of the inputs.
//
//   manifest   x: [N, 4]   scale: [4]   y: [N, M]      M = 2 * N, 1 <= N <= 1000
//   inputs     x is [7, 4]                             N = 7, M = 14, y is [7, 14]
//
// A pack ("...S") stands for any number of dimensions, also none; a tensor has at most one, so it gets what its
// neighbours leave. A symbol that appears twice must mean one size. Inputs that broadcast come last: they are aligned
// to the right of what the others fixed, or joined among themselves, and sizes of 1 and missing ones stretch. An
// output that reduces drops axes of its input, or makes them 1.

#ifndef OPC_RUNTIME_CORE_LAUNCH_LAUNCHSHAPES_H
#define OPC_RUNTIME_CORE_LAUNCH_LAUNCHSHAPES_H

#include "runtime/core/tensor/Tensor.h"
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
  using Values = std::map<std::string, ManifestValue>;

  /// `attributes` has the value of each attribute; a reduction reads its axes there.
  LaunchShapes(const Manifest &manifest, const Values &attributes, Diagnostics &diagnostics)
      : manifest(manifest), attributes(attributes), diagnostics(diagnostics) {}

  /// Takes what an input's shape says; false, with E0523 or E0524, when it disagrees.
  bool bind(const ManifestTensor &tensor, const Shape &shape);
  /// Joins inputs that broadcast, computes what equations define and checks ranges and equations; false, with
  /// E0523, E0524 or E0527.
  bool solve();
  /// The shape of an output whose symbols and axes are all known; nothing, with an error, otherwise.
  std::optional<Shape> infer(const ManifestTensor &output);
  /// Which dimensions of an input the launch reduces; empty when no output reduces it. After infer.
  const std::vector<bool> &reduced(const std::string &input) const;

private:
  struct Bound {
    int64_t value;
    std::string from;  ///< "dimension 0 of 'x'" or "the equation of 'M'"
    bool exact = true; ///< an input that does not broadcast, or an equation, said so
  };
  struct BoundPack {
    Shape dims;
    std::string from; ///< "input 'x'"
    bool exact = true;
    std::vector<std::string> sizes; ///< who gave each size, where inputs were joined
  };
  bool checkRank(const ManifestTensor &tensor, const Shape &shape);
  bool bindExact(const ManifestTensor &tensor, const Shape &shape);
  bool join(const ManifestTensor &tensor, const Shape &shape);
  bool joinSize(const ManifestTensor &tensor, const Shape &shape, int64_t size, size_t fromRight, int64_t &joined,
                bool exact, std::string &from);
  std::optional<Shape> inferReduced(const ManifestTensor &output);
  bool bindSymbol(const std::string &name, int64_t value, const std::string &from, const ManifestTensor &tensor);
  bool checkRange(const ManifestSymbol &symbol);
  enum class Equation { Waiting, Solved, Failed };
  Equation applyEquation(const ManifestSymbol &symbol);

  const Manifest &manifest;
  const Values &attributes;
  Diagnostics &diagnostics;
  std::map<std::string, Bound> symbols;
  std::map<std::string, BoundPack> packs;
  std::map<std::string, Shape> shapes;               ///< of the inputs given
  std::map<std::string, std::vector<bool>> reducing; ///< axes of inputs that an output reduces
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCHSHAPES_H
