// What a kernel library may be, as a file: rules over its ELF headers and its dynamic section. Rules library_c1
// to library_c4 (runtime/diagnostic/codes/Rules.def).
//
// The loader of the C library trusts its input; this is what stands before it.

#ifndef OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H
#define OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H

#include <cstddef>
#include <string>

namespace opc {

struct LibraryFileCheck {
  std::string rule;   ///< label of the rule that broke; empty when all hold
  std::string reason; ///< the rule, then what was found
};

LibraryFileCheck checkLibraryFile(const unsigned char *data, size_t size);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_LIBRARYFILE_H
