#include "runtime/core/launch/Presence.h"

namespace opc {

/// The number of given tensors of an input with a count; the given ones come first.
static bool chooseCount(const Manifest &outline, const std::vector<bool> &given,
                        const std::vector<NamedValue> &attributes, std::map<std::string, std::string> &chosen,
                        Diagnostics &diagnostics) {
  size_t count = 0;
  const ManifestTensor *missing = nullptr, *of = nullptr;
  for (size_t i = 0; i < outline.inputs.size(); ++i) {
    const ManifestTensor &input = outline.inputs[i];
    if (input.count.empty())
      continue;
    of = &input;
    if (i >= given.size() || !given[i]) {
      missing = missing ? missing : &input;
      continue;
    }
    ++count;
    if (!missing)
      continue;
    diagnostics.error(Code::E0520, {},
                      "input '" + printable(missing->name) + "' of '" + printable(outline.opType) +
                          "' is not given, and '" + printable(input.name) + "' after it is",
                      "launch_c9", "give the inputs in order, without gaps");
    return false;
  }
  if (!of)
    return true;
  if (missing && missing->required) {
    diagnostics.error(Code::E0520, {},
                      "input '" + printable(missing->name) + "' of '" + printable(outline.opType) +
                          "', which is required, is not given",
                      "launch_c9", "give the first ones, as many as there are");
    return false;
  }
  for (const auto &[name, text] : attributes)
    if (name == of->count && text != std::to_string(count)) {
      diagnostics.error(Code::E0526, {},
                        std::to_string(count) + (count == 1 ? " tensor is" : " tensors are") + " given for '" +
                            printable(of->name.substr(0, of->name.rfind('_'))) + "' of '" + printable(outline.opType) +
                            "', and attribute '" + printable(name) + "' is " + printable(text, 20),
                        "launch_c7", "leave out the attribute: it follows from the inputs");
      return false;
    }
  chosen[of->count] = std::to_string(count);
  return true;
}

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
  return chooseCount(outline, given, attributes, chosen, diagnostics);
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
