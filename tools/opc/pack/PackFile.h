// Packs the matrices of a .npy file into a packed file (PackedWeight.h), a few megabytes at a time, with several
// threads.

#ifndef OPC_TOOLS_OPC_PACK_PACKFILE_H
#define OPC_TOOLS_OPC_PACK_PACKFILE_H

#include "runtime/core/File.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/model/PackedWeight.h"

#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// Called every few milliseconds with the bytes that are written and the total; a result of false ends the work.
using PackProgress = std::function<bool(int64_t written, int64_t total)>;

/// Packs the tensor of a .npy file in the form of `weight`, for an input of the operator; its elements must have one of
/// these types. Sets type and shape of `weight`. With `asBFloat16` two-byte unsigned elements are bfloat16. Returns
/// false after reporting E0510, E0511, E0513, E0600 or E0601, or if `progress` ended the work; `file` must not be
/// committed then.
bool packFile(const std::string &npy, bool asBFloat16, const ManifestTensor &input,
              const std::vector<ElementType> &types, PackedWeight &weight, AtomicFile &file,
              const PackProgress &progress, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PACK_PACKFILE_H
