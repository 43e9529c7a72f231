// Finds and compiles Ascend C sources, and makes launches of them.
//
//   a kernel alone   compile -> inputs read, outputs made
//   an operator      host files compiled and asked -> inputs read, row of types chosen -> host functions give shapes,
//                    tiling data and blocks -> kernel compiled for the row and the tiling key

#ifndef OPC_TOOLS_OPC_SOURCE_SOURCERUN_H
#define OPC_TOOLS_OPC_SOURCE_SOURCERUN_H

#include "tools/opc/Assignment.h"
#include "tools/opc/source/OperatorFiles.h"
#include "tools/opc/source/SourceLaunch.h"
#include "tools/opc/source/SourceOptions.h"
#include "tools/opc/source/host/HostSource.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace opc::tool {

/// The sources of the tensors and attributes of a launch.
struct SourceInputs {
  std::vector<std::string> inputs, attributes; ///< as --input and --attr give them
  std::string randomShapes;                    ///< inputs with random elements, "x:2,3;z:4"
  /// An operator's row of types, or the type of a kernel's random inputs; empty: from the inputs, or float32.
  std::string dtype;
  std::vector<std::string> stored; ///< requested outputs: an input among them is in place
  uint64_t seed = 310;
  /// Tensors to use as inputs, and outputs that give the shapes and types of the kernel's outputs, by name; the caller
  /// keeps them.
  struct Known {
    std::string name;
    const Tensor *tensor = nullptr;
    bool isOutput = false;
  };
  std::vector<Known> known;
  std::string knownFrom; ///< the owner of the known tensors, for messages
};

/// A launch and its sources.
struct SourceRun {
  SourceLaunch launch;
  std::optional<unsigned> row; ///< of the operator's types; nullopt for a kernel alone
  std::vector<std::string> randomInputs;
};

/// The sources of a command. Host files are compiled once, a kernel once for each row and tiling key.
class SourceProject {
public:
  /// Finds the files and compiles host files; null after an error.
  static std::unique_ptr<SourceProject> open(const SourceRunOptions &options, const Target &chip,
                                             Diagnostics &diagnostics);

  /// The operator's definition; null for a kernel alone.
  const HostOperator *definition() const { return op; }
  /// "AddCustom", or the path of a kernel alone.
  std::string name() const;
  /// The names of inputs and of outputs; for a kernel alone both are its parameters.
  std::vector<std::string> inputNames() const, outputNames() const;
  const Target &target() const { return chip; }

  /// Makes a launch; `run` must outlive all references to its tensors. With `row` the elements of inputs are converted
  /// to that row's types. False after an error.
  bool prepare(const SourceInputs &inputs, std::optional<unsigned> row, SourceRun &run, Diagnostics &diagnostics);
  /// Makes a launch of an operator from inputs in `run.launch.tensors` and parsed attributes.
  bool prepareOperator(unsigned row, const BoundAttributes &attributes, SourceRun &run, Diagnostics &diagnostics);

private:
  SourceProject(const SourceRunOptions &options, const Target &chip) : options(options), chip(chip) {}
  bool readInputs(const SourceInputs &inputs, std::optional<unsigned> row, SourceRun &run, Diagnostics &diagnostics);
  std::optional<ElementType> randomTypeOf(const std::string &input, const SourceInputs &inputs,
                                          std::optional<unsigned> row, Diagnostics &diagnostics) const;
  std::vector<const Tensor *> inputsOf(const SourceRun &run, Diagnostics &diagnostics) const;
  bool finish(SourceRun &run, Diagnostics &diagnostics) const;
  const KernelSource *kernelOf(unsigned row, const HostLaunchResult &computed, uint64_t key, Diagnostics &diagnostics);

  const SourceRunOptions options;
  const Target chip;
  OperatorFiles files;
  std::unique_ptr<HostSource> host;
  const HostOperator *op = nullptr;
  std::unique_ptr<KernelSource> alone;
  std::map<std::tuple<unsigned, uint64_t, std::string>, std::unique_ptr<KernelSource>>
      kernels; ///< by row, tiling key and template arguments
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_SOURCERUN_H
