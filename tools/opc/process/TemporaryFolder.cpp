#include "tools/opc/process/TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace opc::tool {

TemporaryFolder::TemporaryFolder(const std::string &purpose) {
  std::error_code missing;
  parent = std::filesystem::temp_directory_path(missing).string();
  std::string pattern = parent + "/opc-" + purpose + "-XXXXXX";
  if (!missing && mkdtemp(pattern.data()))
    folder = pattern;
  else
    failure = missing ? missing.message() : std::strerror(errno);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!folder.empty())
    std::filesystem::remove_all(folder, error);
}

bool TemporaryFolder::isThere(Diagnostics &diagnostics) const {
  if (folder.empty())
    diagnostics.error(Code::E0601, {},
                      "cannot make a temporary folder in '" + printablePath(parent) + "': " + printable(failure), {},
                      "TMPDIR names another place for it");
  return !folder.empty();
}

} // namespace opc::tool
