// The options of commands that take Ascend C sources.

#ifndef OPC_TOOLS_OPC_SOURCE_SOURCEOPTIONS_H
#define OPC_TOOLS_OPC_SOURCE_SOURCEOPTIONS_H

#include "runtime/target/Target.h"
#include "tools/opc/Arguments.h"
#include "tools/opc/source/KernelSource.h"

#include <optional>
#include <string>

namespace opc::tool {

/// The options that go with --source.
struct SourceRunOptions {
  SourceOptions source;
  std::string host; ///< folder with host files; empty: op_host of the source's folder
  std::string tiling, outputShapes, outputTypes;
  std::string chip = "Ascend310B1";
  std::string cann; ///< "8.1", "9.1"; empty: names of both
  std::string autoSync = "on";
  std::optional<uint64_t> tilingKey; ///< nullopt: as TilingFunc sets it
  std::optional<int64_t> blocks;     ///< likewise
  unsigned timeout = 10;
  bool given() const { return !source.path.empty(); }
  /// The first given option that requires --source; empty when there is none.
  std::string stray() const;
};

/// `source`: the option that names the source, as the help of the others says it; --source itself is added here.
/// Commands with kernels as arguments say "a source".
void addSourceOptions(Arguments &arguments, SourceRunOptions &options, const std::string &source = "--source");
/// Checks the options that need no file; null after an error.
const Target *checkSourceOptions(const SourceRunOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_SOURCEOPTIONS_H
