// The host files of an operator, compiled by a stock compiler: its definition, and the launch that its own functions
// compute for given shapes.

#ifndef OPC_TOOLS_OPC_SOURCE_HOST_HOSTSOURCE_H
#define OPC_TOOLS_OPC_SOURCE_HOST_HOSTSOURCE_H

#include "runtime/core/launch/Attributes.h"
#include "runtime/core/tensor/Tensor.h"
#include "runtime/program/Manifest.h"
#include "runtime/target/Target.h"
#include "tools/opc/process/GuardedChild.h"
#include "tools/opc/process/TemporaryFolder.h"
#include "tools/opc/source/compiler/SourceCompiler.h"
#include "tools/opc/source/debug/DebugInfo.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct HostOptions {
  std::vector<std::string> files, includes, defines;
  std::string compiler; ///< empty: as for kernels
};

/// A field of a tiling structure.
struct TilingField {
  std::string type, name;
  uint32_t count = 0; ///< 0: a single value
  bool isStructure = false;
};

struct TilingStructure {
  std::string registeredFor; ///< operator, or operator, '_' and tiling key
  std::string name;
  std::vector<TilingField> fields;
};

/// An operator as its OpDef defines it.
struct HostOperator {
  /// Type, inputs, outputs and attributes; type rows with element types that opc lacks are omitted.
  Manifest manifest;
  std::vector<bool> valueDepend;         ///< of inputs: tiling reads their values
  std::vector<std::vector<int>> formats; ///< ge::Format of inputs, then of outputs, by type row
  std::vector<std::string> chips;
  std::vector<std::string> leftOut; ///< element types that opc lacks: "complex64"
  std::vector<std::string> lists;   ///< parameters that are lists of tensors (DYNAMIC)
  bool hasTiling = false, infersShapes = false;
  Location location;
};

struct HostSource {
  TemporaryFolder folder{"host"};
  std::string object, headers, compiler;
  std::vector<std::string> files;
  std::unique_ptr<DebugInfo> debug;
  std::vector<HostOperator> operators;
  std::vector<TilingStructure> tilings;

  /// The line at which the host code ended its process, or of the nearest caller outside of opc's headers; `other` if
  /// there is none.
  Location placeOf(const ChildFault &fault, const Location &other) const;
  /// The tiling structures in C++, for the kernel: those of `op` under `key` are the default of GET_TILING_DATA.
  std::string kernelHeader(const std::string &op, uint64_t key) const;
};

/// Compiles host files and reads their definitions; null after reporting E0800, E0803, E0805 or an error of the
/// child process.
std::unique_ptr<HostSource> compileHostSource(const HostOptions &options, unsigned seconds, Diagnostics &diagnostics);

/// The operator that a kernel implements: the only one, or the one of its name ("add_custom" for AddCustom). Null after
/// reporting E0805.
const HostOperator *findHostOperator(const HostSource &source, const std::string &kernel, Diagnostics &diagnostics);

/// The results of the host functions for a launch.
struct HostLaunchResult {
  std::vector<Shape> outputShapes;
  std::vector<std::optional<ElementType>> outputTypes; ///< where InferDataType sets one
  int64_t numBlocks = 1;
  uint64_t tilingKey = 0;
  std::string templateArguments; ///< of the kernel, if the host files choose them: "float, 8"
  std::string tiling;
  std::vector<int64_t> workspaces; ///< bytes
};

/// The arguments of an operator's host functions, in the definition's order.
struct HostQuestion {
  unsigned typeRow = 0;
  std::vector<const Tensor *> inputs;             ///< null for an omitted optional input
  std::vector<std::optional<Shape>> outputShapes; ///< those that the caller gives; trailing ones may be omitted
  const std::map<std::string, ManifestValue> &attributes;
};

/// Runs InferShape, InferDataType and TilingFunc; InferShape only if an output's shape is not given. Returns nullopt
/// after reporting E0806 if a function refuses the launch, or a fault of the child.
std::optional<HostLaunchResult> runHostFunctions(const HostSource &source, const HostOperator &op,
                                                 const HostQuestion &question, const Target &target, unsigned seconds,
                                                 Diagnostics &diagnostics);

/// The row of an operator's type table that matches the inputs, or that `dtype` names; nullopt after reporting E0522.
std::optional<unsigned> chooseHostRow(const HostOperator &op, const std::vector<const Tensor *> &inputs,
                                      const std::string &dtype, Diagnostics &diagnostics);

/// The macros that a build of the toolkit gives the kernel for a type row: DTYPE_X, ORIG_DTYPE_X, FORMAT_X.
std::vector<std::string> rowMacros(const HostOperator &op, unsigned typeRow);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_HOST_HOSTSOURCE_H
