// Attributes of a launch: parsing, defaults and ranges.

#ifndef OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H
#define OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H

#include "runtime/core/launch/Launch.h"

#include <map>

namespace opc {

/// The values of the attributes of a launch.
struct BoundAttributes {
  /// The slot of the tiling data of each attribute with the binding Launch: f32 bits in the low half, or an integer.
  std::map<std::string, int64_t> slots;
  /// The value of each attribute of any binding.
  std::map<std::string, ManifestValue> values;
};

/// Parses the given attributes and takes defaults for the others. A list is written as its elements separated by ',',
/// with or without brackets: "0,-1", "[0, -1]", "[]". Returns nullopt after reporting E0521, E0525 or E0526 when an
/// attribute is refused.
std::optional<BoundAttributes> bindAttributes(const Manifest &manifest, const std::vector<NamedValue> &given,
                                              Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_ATTRIBUTES_H
