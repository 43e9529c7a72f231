// Attributes of a launch: text to value, default, range.

#ifndef OPC_RUNTIME_CORE_ATTRIBUTES_H
#define OPC_RUNTIME_CORE_ATTRIBUTES_H

#include "runtime/core/Launch.h"

#include <map>

namespace opc {

/// Value of each launch attribute as its slot of the tiling data: f32 bits in the low half, or an
/// integer. Nothing, with E0521, E0525 or E0526, when one cannot be taken.
std::optional<std::map<std::string, int64_t>> bindAttributes(const Manifest &manifest,
                                                             const std::vector<NamedValue> &given,
                                                             Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_ATTRIBUTES_H
