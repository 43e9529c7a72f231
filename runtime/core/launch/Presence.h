// Inputs that an operator is compiled with or without, if a launch compiles it: the given inputs select the kernels,
// and the manifest of the kernels has only these inputs.

#ifndef OPC_RUNTIME_CORE_LAUNCH_PRESENCE_H
#define OPC_RUNTIME_CORE_LAUNCH_PRESENCE_H

#include "runtime/core/launch/Launch.h"

#include <map>

namespace opc {

/// Sets the attributes that say whether a kernel has an input (ManifestTensor::presence), and those that count the
/// tensors of an input (ManifestTensor::count), from the given inputs. `attributes` are those of the caller, which may
/// set them too. Returns false after reporting E0520 for a missing input that a given input or an attribute requires,
/// or that precedes a given one, and E0526 for an input that an attribute excludes.
bool choosePresence(const Manifest &outline, const std::vector<bool> &given, const std::vector<NamedValue> &attributes,
                    std::map<std::string, std::string> &chosen, Diagnostics &diagnostics);

/// The indices of a manifest's inputs among those of the outline; empty if both are the same.
std::vector<size_t> placesOf(const Manifest &manifest, const Manifest &outline);

/// Selects from a list for the inputs of the outline the elements for the inputs of the manifest.
template <typename Item>
std::vector<Item> takePlaces(const Manifest &manifest, const Manifest &outline, std::vector<Item> list) {
  const std::vector<size_t> places = placesOf(manifest, outline);
  if (places.empty())
    return list;
  std::vector<Item> taken;
  for (size_t place : places)
    taken.push_back(std::move(list[place]));
  return taken;
}

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_PRESENCE_H
