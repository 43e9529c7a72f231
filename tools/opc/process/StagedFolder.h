// A folder that is made beside the place it will be moved to, and is gone when it was not.

#ifndef OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H
#define OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H

#include <filesystem>
#include <system_error>

namespace opc::tool {

class StagedFolder {
public:
  /// Makes ".NAME.opc-PID" beside `target`, whose parent exists. Those of processes that were killed are removed first.
  explicit StagedFolder(const std::filesystem::path &target);
  /// Removes what has the name of the staged folder then.
  ~StagedFolder();
  StagedFolder(const StagedFolder &) = delete;
  StagedFolder &operator=(const StagedFolder &) = delete;

  /// Set when the folder could not be made.
  const std::error_code &error() const { return failure; }
  const std::filesystem::path &path() const { return folder; }

private:
  std::filesystem::path folder;
  std::error_code failure;
  int lock = -1;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_STAGEDFOLDER_H
