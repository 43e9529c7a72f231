// What `opc run` and `opc profile` are given: an op folder, a contract, or an operator's name.
//
//   out                       an op folder, as 'opc compile' writes it
//   op_contract.yaml, or the folder that holds it
//                             the row of the inputs' types, by the kernel cache, which compiles on a miss
//   AddRelu, add_relu         an operator that the kernel cache holds: its last one of these types
//
// Names of inputs and outputs are known at once, kernels when the inputs' types are.

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
  /// Nothing, with the errors of what was named, or E0500 when it is nothing of these.
  static std::optional<OperatorSource> open(const std::string &named, const CacheFlags &cache,
                                            Diagnostics &diagnostics);

  /// Inputs, outputs and attributes; kernels of an op folder alone.
  const Manifest &manifest() const { return outline; }
  /// Files that no output may replace.
  const std::vector<std::string> &files() const { return owned; }
  /// The folder whose kernels take these inputs; `wanted` where their types leave a choice of rows.
  /// Nothing, with an error.
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
  std::vector<DiskEntry> ofTheName; ///< last used first
};

/// Where a command takes one: its text in help.
inline constexpr const char *kOperatorSourceHelp =
    "op folder, as 'opc compile' writes it; or a contract, by the kernel cache; or the name of an "
    "operator that the cache holds";

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_OPERATORSOURCE_H
