// Settings of the kernel cache and their origins.
//
//   flag  over  environment  over  $XDG_CONFIG_HOME/opc/config.json  over  default
//
// clang-format off
//   setting, in "cache"  environment                    default
//   path                 ASCEND_CACHE_PATH              $XDG_CACHE_HOME/opc, else ~/.cache/opc
//   kernels              ACLNN_KERNEL_CACHE_SIZE        100 kernel sets in memory
//   bytes                OPC_CACHE_BYTES                268435456 bytes in memory
//   launches             ACLNN_CACHE_LIMIT              10000 prepared launches
//   disable              ACLNN_DISABLE_CACHE            0; 1: nothing is kept in memory
//   disk_mb              ASCEND_MAX_OP_CACHE_SIZE       500 MB on disk
//   remain_percent       ASCEND_REMAIN_CACHE_SIZE_RATIO 50: what a purge leaves
//   log                  ACL_LOG_LEVEL                  ERROR; INFO logs hits and compiles
//   trace                OPC_CACHE_TRACE                none; a file that lookups are recorded in
// clang-format on
//
// A value of any origin that cannot be parsed is an error.

#ifndef OPC_RUNTIME_CORE_CACHE_CACHESETTINGS_H
#define OPC_RUNTIME_CORE_CACHE_CACHESETTINGS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc {

struct CacheSettings {
  std::string path;
  size_t kernels = 100;
  size_t bytes = size_t(256) << 20;
  size_t launches = 10000;
  bool disable = false;
  size_t diskMegabytes = 500;
  unsigned remainPercent = 50;
  bool logHits = false, logWarnings = false; ///< at level INFO and more verbose; at level WARNING and more verbose
  std::string trace;

  /// "path" to "ASCEND_CACHE_PATH", "config.json", "--cache-path", "default".
  std::map<std::string, std::string> origins;
};

/// All environment variables that are settings.
std::vector<std::string> cacheVariables();

/// Reads the settings; `flags` are settings by name ("path"). Returns nullopt after reporting E0113 when a value
/// cannot be parsed, or when there is no path although `needsPath` is true.
std::optional<CacheSettings> readCacheSettings(const std::map<std::string, std::string> &flags,
                                               Diagnostics &diagnostics, bool needsPath = true);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_CACHESETTINGS_H
