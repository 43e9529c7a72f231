// Options and requests that commands on the kernel cache share.

#ifndef OPC_TOOLS_OPC_CACHEFLAGS_H
#define OPC_TOOLS_OPC_CACHEFLAGS_H

#include "ops/contract/Contract.h"
#include "runtime/compiler.h"
#include "runtime/core/cache/CacheSettings.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/model/PackedStore.h"
#include "tools/opc/Command.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// --cache-path and --cache-setting.
struct CacheFlags {
  std::string path;
  std::vector<std::string> settings; ///< NAME=VALUE
};
void addCacheFlags(Arguments &arguments, CacheFlags &flags);
std::optional<CacheSettings> settingsOf(const CacheFlags &flags, Diagnostics &diagnostics);

/// Constants of models in the forms of this machine's kernels, within the cache's folder and its limit on disk.
PackedStore packedStoreIn(const CacheSettings &settings);
/// The same with the settings of the environment. nullopt without a cache, or after reporting E0113 for a setting that
/// cannot be read.
std::optional<PackedStore> packedStore(Diagnostics &diagnostics);

/// The request for one row of a contract; takes those of `attributes` that are bound at compile time.
KernelRequest requestFor(const Contract &contract, unsigned row, const std::string &target, const std::string &body,
                         const std::vector<NamedValue> &attributes = {});
/// Sets the attributes that bind when compiling from --attr, and removes inputs that are then absent. False after
/// reporting E0526.
bool bindCompileAttributes(Contract &contract, const std::vector<NamedValue> &attributes, Diagnostics &diagnostics);

/// Adds the types of the row's outputs, which distinguish rows with the same inputs.
void addOutputTypes(KernelRequest &request, const Contract &contract, unsigned row);

/// "12.3 MB"
std::string byteText(uint64_t bytes);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_CACHEFLAGS_H
