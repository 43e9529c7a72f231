// The operator argument of `opc run` and `opc profile`: an op folder, a contract, or the name of an operator.
//
//   out                       an op folder, from 'opc compile'
//   op_contract.yaml, or the folder that holds it
//                             the row with the inputs' types, from the kernel cache, which compiles on a miss
//   AddRelu, add_relu         an operator in the kernel cache: its last entry with the inputs' types
//
// Names of inputs and outputs are known when it is opened, kernels when the types of the inputs are known.

#ifndef OPC_TOOLS_OPC_OPERATORSOURCE_H
#define OPC_TOOLS_OPC_OPERATORSOURCE_H

#include "ops/contract/Contract.h"
#include "runtime/core/cache/DiskCache.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "tools/opc/CacheFlags.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

class OperatorSource {
public:
  /// Returns nullopt after reporting the errors of the source, or E0500 when `named` is none of these.
  static std::optional<OperatorSource> open(const std::string &named, const CacheFlags &cache,
                                            Diagnostics &diagnostics);

  /// Inputs, outputs and attributes; has kernels only for an op folder.
  const Manifest &manifest() const { return outline; }
  /// The source's files, which outputs must not overwrite.
  const std::vector<std::string> &files() const { return owned; }
  /// The folder whose kernels accept these inputs; `wanted` selects the row when several match. Returns nullopt after
  /// an error.
  std::optional<OpFolder> folderFor(const std::vector<const Tensor *> &inputs, std::optional<unsigned> wanted,
                                    const std::vector<NamedValue> &attributes, Diagnostics &diagnostics) const;

private:
  bool openFolder(const std::string &path, Diagnostics &diagnostics);
  bool openContract(const std::string &path, Diagnostics &diagnostics);
  bool openEntry(const std::string &name, Diagnostics &diagnostics);
  std::optional<OpFolder> compiled(unsigned row, bool chosen, const std::vector<NamedValue> &attributes,
                                   Diagnostics &diagnostics) const;
  std::optional<OpFolder> kept(unsigned row, Diagnostics &diagnostics) const;

  CacheFlags cache;
  Manifest outline;
  std::vector<std::string> owned;
  std::optional<OpFolder> folder;   ///< of an op folder
  std::optional<Contract> contract; ///< of a contract
  std::optional<DiskCache> disk;    ///< of a name
  std::vector<DiskEntry> ofTheName; ///< most recently used first
};

/// The text in help for this argument.
inline constexpr const char *kOperatorSourceHelp = "op folder that 'opc compile' wrote, or a contract that is compiled "
                                                   "through the kernel cache, or the name of an operator in the cache";

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_OPERATORSOURCE_H
