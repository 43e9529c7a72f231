#include "runtime/core/launch/Presence.h"

namespace opc {

bool choosePresence(const Manifest &outline, const std::vector<bool> &given, const std::vector<NamedValue> &attributes,
                    std::map<std::string, std::string> &chosen, Diagnostics &diagnostics) {
  std::map<std::string, std::string> first; // the input that decided about an attribute
  for (size_t i = 0; i < outline.inputs.size() && i < given.size(); ++i) {
    const ManifestTensor &input = outline.inputs[i];
    if (input.presence.empty())
      continue;
    const std::string who = "input '" + printable(input.name) + "' of '" + printable(outline.opType) + "'";
    const std::string asked = "attribute '" + printable(input.presence) + "'";
    for (const auto &[name, text] : attributes) {
      const bool isTrue = text == "true" || text == "1", isFalse = text == "false" || text == "0";
      if (name != input.presence || (given[i] ? !isFalse : !isTrue))
        continue;
      diagnostics.error(given[i] ? Code::E0526 : Code::E0520, {},
                        who + (given[i] ? " is given, and " : " is not given, and ") + asked + " is " +
                            printable(text, 20),
                        given[i] ? "launch_c7" : "launch_c9", "leave out the attribute: it follows from the inputs");
      return false;
    }
    auto [known, isNew] = first.emplace(input.presence, input.name);
    const char *value = given[i] ? "true" : "false";
    if (!isNew && chosen[input.presence] != value) {
      diagnostics.error(Code::E0520, {},
                        who + (given[i] ? " is given, and '" : " is not given, and '") + printable(known->second) +
                            (given[i] ? "' is not: " : "' is: ") + asked + " stands for both",
                        "launch_c9", "give both or none");
      return false;
    }
    chosen[input.presence] = value;
  }
  return true;
}

std::vector<size_t> placesOf(const Manifest &manifest, const Manifest &outline) {
  std::vector<size_t> places;
  for (const ManifestTensor &input : manifest.inputs)
    for (size_t i = 0; i < outline.inputs.size(); ++i)
      if (outline.inputs[i].name == input.name)
        places.push_back(i);
  return places.size() == outline.inputs.size() ? std::vector<size_t>() : places;
}

} // namespace opc
