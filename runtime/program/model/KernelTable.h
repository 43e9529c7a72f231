// The manifests of a model's kernels in one file of bytes, so that loading a model parses no text for each kernel.
//
//   "OPCK" u32:version
//   u32:manifests { fields of Manifest and of its parts, in the order of Manifest.h }
//
//   a string is a u32 length and its bytes, a list a u32 count and its elements, an enumerator or a truth value a u8,
//   an optional part a u8 that says whether it follows; a default value is the u8 number of its alternative and it
//   a tiling function is the u32 number of it in this manifest, and follows where the number is new
//
// Little endian. checkManifest applies the same rules to a manifest of the table as to one in JSON.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_KERNELTABLE_H
#define OPC_RUNTIME_PROGRAM_MODEL_KERNELTABLE_H

#include "runtime/program/Manifest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace opc {

/// Equal manifests give equal bytes.
std::vector<uint8_t> writeKernelTable(const std::vector<Manifest> &manifests);
/// Reads and checks an untrusted table. Returns the error, empty on success.
std::string readKernelTable(const uint8_t *data, size_t size, std::vector<Manifest> &manifests);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_KERNELTABLE_H
