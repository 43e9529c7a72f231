// Sizes of a launch: binds the contract's symbols to values from the shapes of the inputs.
//
//   manifest   x: [N, 4]   scale: [4]   y: [N, M]      M = 2 * N, 1 <= N <= 1000
//   inputs     x is [7, 4]                             N = 7, M = 14, y is [7, 14]
//
// A pack ("...S") is any number of dimensions, also none. A tensor has at most one pack, so the pack takes the
// dimensions that the symbols and sizes around it leave. A symbol that appears twice must have one size. Inputs that
// broadcast are bound last: they are aligned to the right with the sizes that other inputs fixed, or with each other,
// and sizes of 1 and missing ones stretch. An output that reduces drops axes of its input, sets them to 1,
// or keeps the shape of its input.

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

  /// `attributes` has the value of each attribute; it gives the axes of reductions. All arguments must outlive
  /// the object.
  LaunchShapes(const Manifest &manifest, const Values &attributes, Diagnostics &diagnostics)
      : manifest(manifest), attributes(attributes), diagnostics(diagnostics) {}

  /// Binds symbols to the shape of an input; false after reporting E0523 or E0524 when it contradicts the others.
  bool bind(const ManifestTensor &tensor, const Shape &shape);
  /// Joins inputs that broadcast, solves equations, and checks equations and ranges; false after reporting E0523,
  /// E0524 or E0527.
  bool solve();
  /// The shape of an output; nullopt after an error when one of its symbols or axes is unknown.
  std::optional<Shape> infer(const ManifestTensor &output);
  /// The size of a symbol; 0 if it is not known. Valid after solve.
  int64_t sizeOf(const std::string &symbol) const;
  /// Which dimensions of an input the launch reduces; empty when no output reduces it. Valid after infer.
  const std::vector<bool> &reduced(const std::string &input) const;

private:
  struct Bound {
    int64_t value;
    std::string from;  ///< "dimension 0 of 'x'" or "the equation of 'M'"
    bool exact = true; ///< set by an input that does not broadcast, or by an equation
  };
  struct BoundPack {
    Shape dims;
    std::string from; ///< "input 'x'"
    bool exact = true;
    std::vector<std::string> sizes; ///< the origin of each size, where inputs were joined
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
  std::map<std::string, std::vector<bool>> reducing; ///< the dimensions of inputs that outputs reduce
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCHSHAPES_H
