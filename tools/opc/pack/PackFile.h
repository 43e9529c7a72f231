// A matrix of a .npy file becomes a packed file (PackedWeight.h), a few megabytes at a time, by several threads.

#ifndef OPC_TOOLS_OPC_PACK_PACKFILE_H
#define OPC_TOOLS_OPC_PACK_PACKFILE_H

#include "runtime/core/File.h"
#include "runtime/program/model/PackedWeight.h"

#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// Gets the bytes that are written and those that there will be, every few milliseconds; false ends the work.
using PackProgress = std::function<bool(int64_t written, int64_t total)>;

/// Packs the matrix of a .npy file, which has to have elements of one of these types, and completes `weight` by its
/// type and sizes. With `asBFloat16` two-byte unsigned elements are bfloat16. Returns false after reporting E0510,
/// E0511, E0513, E0600 or E0601, or when `progress` ended it; `file` is then not to be committed.
bool packFile(const std::string &npy, bool asBFloat16, const std::vector<ElementType> &types, PackedWeight &weight,
              AtomicFile &file, const PackProgress &progress, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PACK_PACKFILE_H
