// Attributes of a launch: text to value, default, range.

#ifndef OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H
#define OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H

#include "runtime/core/launch/Launch.h"

#include <map>

namespace opc {

/// What the attributes of a launch come to.
struct BoundAttributes {
  /// Each attribute bound at launch as its slot of the tiling data: f32 bits in the low half, or an integer.
  std::map<std::string, int64_t> slots;
  /// The value of each attribute, however it binds.
  std::map<std::string, ManifestValue> values;
};

/// Reads what is given as text, takes defaults for the rest. A list is its elements with ',' between them, in
/// brackets or not: "0,-1", "[0, -1]", "[]". Nothing, with E0521, E0525 or E0526, when one cannot be taken.
std::optional<BoundAttributes> bindAttributes(const Manifest &manifest, const std::vector<NamedValue> &given,
                                              Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H
