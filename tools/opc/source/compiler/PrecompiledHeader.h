// Precompiled headers of opc, kept for all runs of a user.
//
//   <cache path>/headers/v1/<hash>/
//     header.pch the precompiled header for clang
//     functions.o     code of the header's functions, where users of it need not compile them again
//     checksums       of the two; its time is that of the last use
//
// The name is a hash of everything that the result depends on: the compiler's own macros, with its version, the
// options, and the text of all of opc's headers. An entry is used only if it belongs to this user, only the user may
// write to it, and the checksums of its files match. clang refuses an entry if a system header has changed.
//
// Nothing depends on an entry: without one, and whenever a compilation with one fails, the header's text is compiled.

#ifndef OPC_TOOLS_OPC_SOURCE_COMPILER_PRECOMPILEDHEADER_H
#define OPC_TOOLS_OPC_SOURCE_COMPILER_PRECOMPILEDHEADER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// A header and how it is compiled.
struct HeaderUse {
  std::string compiler;
  std::vector<std::string> options; ///< of the compiler; those of the linker (-Wl,) are ignored
  std::string headers;              ///< folder of opc's own
  std::string header;               ///< path of one of them
  bool withFunctions = false;       ///< its functions go to an object without debug information
};

struct PrecompiledHeader {
  std::string folder;
  std::string functions; ///< path of the object; empty without one

  /// The options that include the precompiled header first.
  std::vector<std::string> includeOptions() const { return {"-include-pch", folder + "/header.pch"}; }
};

/// Finds the entry of a header, or makes it. Nullopt if the compiler is not clang 15 or later, there is no writable
/// cache, environment variables change the search for headers, or the header does not compile.
std::optional<PrecompiledHeader> precompileHeader(const HeaderUse &use);

/// Removes an entry that made a compilation fail.
void discard(const PrecompiledHeader &entry);

/// Removes entries of `cachePath`: all, or only leftovers of processes that were killed. Returns their bytes.
uint64_t removePrecompiledHeaders(const std::string &cachePath, bool all);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_COMPILER_PRECOMPILEDHEADER_H
