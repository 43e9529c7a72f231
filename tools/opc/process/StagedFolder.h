// A staging folder next to its target; the destructor removes it unless it was renamed.

#ifndef OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H
#define OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H

#include <filesystem>
#include <system_error>

namespace opc::tool {

class StagedFolder {
public:
  /// Creates ".NAME.opc-PID" next to `target`, whose parent must exist. First removes those of killed processes.
  explicit StagedFolder(const std::filesystem::path &target);
  /// Removes the folder with the staging name, if any.
  ~StagedFolder();
  StagedFolder(const StagedFolder &) = delete;
  StagedFolder &operator=(const StagedFolder &) = delete;

  /// Set when the folder could not be created.
  const std::error_code &error() const { return failure; }
  const std::filesystem::path &path() const { return folder; }

private:
  std::filesystem::path folder;
  std::error_code failure;
  int lock = -1;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H
