#include "tools/opc/Assignment.h"

#include "runtime/core/tensor/Npy.h"
#include "runtime/core/tensor/PackedMatrix.h"

#include <algorithm>

namespace opc::tool {

std::vector<TensorFile> parseTensorFiles(const std::vector<std::string> &texts, const std::string &what,
                                         const std::string &owner, const std::vector<std::string> &known,
                                         Diagnostics &diagnostics) {
  static const std::string suffix = ":bf16";
  std::vector<TensorFile> files;
  for (const std::string &text : texts) {
    size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || text.size() < equal + 3 || text[equal + 1] != '@') {
      bool lacksAt = equal != std::string::npos && equal != 0 && text.size() > equal + 1 && text[equal + 1] != '@';
      std::string meant = lacksAt ? std::string(text).insert(equal + 1, "@") : "";
      diagnostics.error(Code::E0108, {}, "--" + what + " expects NAME=@FILE.npy: found '" + printablePath(text) + "'",
                        {}, lacksAt ? "did you mean '" + printablePath(meant) + "'?" : "");
      continue;
    }
    TensorFile file{text.substr(0, equal), text.substr(equal + 2)};
    if (file.path.size() > suffix.size() &&
        file.path.compare(file.path.size() - suffix.size(), suffix.size(), suffix) == 0) {
      file.bfloat16 = true;
      file.path.resize(file.path.size() - suffix.size());
    }
    if (std::find(known.begin(), known.end(), file.name) == known.end()) {
      std::string names, nearest = nearestName(file.name, known);
      for (const std::string &name : known)
        names += (names.empty() ? "" : ", ") + name;
      diagnostics.error(Code::E0521, {},
                        "'" + owner + "' has no " + what + " '" + printable(file.name) + "'; it has " + names, {},
                        nearest.empty() ? "" : "did you mean '" + nearest + "'?");
      continue;
    }
    bool twice =
        std::any_of(files.begin(), files.end(), [&](const TensorFile &other) { return other.name == file.name; });
    if (twice) {
      diagnostics.error(Code::E0109, {}, what + " '" + file.name + "' is given twice");
      continue;
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::optional<Tensor> readInput(const TensorFile &file, const std::string &opType, Diagnostics &diagnostics) {
  if (!isPackedFile(file.path))
    return readNpy(file.path, file.bfloat16, diagnostics);
  if (!file.bfloat16)
    return mapPacked(file.path, opType, file.name, diagnostics);
  diagnostics.error(Code::E0513, {},
                    "expects no ':bf16' after '" + printablePath(file.path) +
                        "', which is a packed weight and states its type",
                    {}, printable(file.name) + "=@" + printablePath(file.path));
  return std::nullopt;
}

std::vector<NamedValue> parseAttributes(const std::vector<std::string> &texts, Diagnostics &diagnostics,
                                        const std::string &option) {
  std::vector<NamedValue> values;
  for (const std::string &text : texts) {
    size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0)
      diagnostics.error(Code::E0108, {}, option + " expects NAME=VALUE: found '" + printable(text) + "'");
    else
      values.emplace_back(text.substr(0, equal), text.substr(equal + 1));
  }
  return values;
}

} // namespace opc::tool
