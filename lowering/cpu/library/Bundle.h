// Joins the kernel libraries of several operators into one, which a model loads (opc_kernel_bundle).
//
// The objects of each library are kept in an archive. In a bundle the symbols of each get a separate prefix, since
// kernels of one operator with different attributes have the same names.

#ifndef OPC_LOWERING_CPU_LIBRARY_BUNDLE_H
#define OPC_LOWERING_CPU_LIBRARY_BUNDLE_H

#include "runtime/diagnostic/Diagnostic.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// The objects of a library as an archive of `ar`: equal objects give equal bytes.
std::string archiveOf(llvm::ArrayRef<llvm::StringRef> objects);

/// Links a bundle of libraries, in the order of their archives; an empty archive is a missing library. Returns the
/// bytes of the shared object, or nullopt after reporting E0373, E0374, E0601 or E0610.
std::optional<std::string> bundleKernels(const std::vector<std::string> &archives, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_CPU_LIBRARY_BUNDLE_H
