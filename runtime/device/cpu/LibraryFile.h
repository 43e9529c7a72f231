// What a kernel library may be, as a file: rules over its ELF headers and its dynamic section.
//
//   library_c1  an ELF64 shared object for this machine's architecture
//   library_c2  headers, segments and tables lie within the file
//   library_c3  it needs no other library, has no initialisers or finalisers, and its code is not
//   written to library_c4  relocations are relative ones within the library, and it has no
//   undefined symbols
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
