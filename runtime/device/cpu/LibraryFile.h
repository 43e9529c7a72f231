// Checks the file of a kernel library: its ELF headers and its dynamic section, by the rules library_c1 to
// library_c4 (runtime/diagnostic/codes/Rules.def).
//
// The dynamic loader trusts its input, so this check runs before it.

#ifndef OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H
#define OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H

#include "runtime/program/opc_kernel_library.h"

#include <cstddef>
#include <string>

namespace opc {

struct LibraryFileCheck {
  std::string rule;   ///< label of the broken rule, empty when all hold
  std::string reason; ///< the rule, then what was found
};

/// `symbol` is its exported symbol.
LibraryFileCheck checkLibraryFile(const unsigned char *data, size_t size,
                                  const char *symbol = OPC_KERNEL_LIBRARY_QUERY);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H
