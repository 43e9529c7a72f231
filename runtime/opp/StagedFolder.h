// A folder that is replaced atomically: written to a staging folder, flushed, renamed. Other processes see the old
// folder or the new one. A process that is killed leaves one of the two, and at most a staging folder, which
// recover() removes.
//
//   <parent>/.opc-stage-<pid>-<n>     being written, or the old folder on its way out
//   <parent>/.opc-old-<name>          only where the file system cannot exchange two names: the old folder while the
//                                     new one takes its place; recover() puts it back

#ifndef OPC_RUNTIME_OPP_STAGEDFOLDER_H
#define OPC_RUNTIME_OPP_STAGEDFOLDER_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

namespace opc {

class StagedFolder {
public:
  /// Creates a staging folder for `target`, and its parents; nullopt after reporting E0601 on failure.
  static std::optional<StagedFolder> create(const std::string &target, Diagnostics &diagnostics);

  /// Writes a file by its path in the folder and flushes it. Returns false after reporting E0601 on failure; paths
  /// that leave the folder are refused.
  bool add(const std::string &path, std::string_view bytes, bool executable, Diagnostics &diagnostics);
  /// The staging folder, for programs that need the files before they are published.
  const std::string &path() const { return staged; }
  /// Flushes and renames to the target, then removes the old folder. On failure reports E0601, keeps the old folder
  /// and returns false.
  bool publish(Diagnostics &diagnostics);

  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder &operator=(StagedFolder &&) = delete;
  /// Removes the staging folder if it was not published.
  ~StagedFolder();

private:
  StagedFolder() = default;
  std::string target, staged;
};

/// Removes a folder atomically, by renaming it first; false after an error.
bool removeFolder(const std::string &path, Diagnostics &diagnostics);

/// Restores folders that killed processes were replacing in `parent`, and removes staging folders: those of all
/// processes with `all`, for callers that hold the lock of the place; otherwise those of processes that have ended.
void recover(const std::string &parent, bool all);

} // namespace opc

#endif // OPC_RUNTIME_OPP_STAGEDFOLDER_H
