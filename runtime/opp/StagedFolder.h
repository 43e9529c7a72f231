// A folder that appears all at once: written beside its place, flushed, renamed. Whoever looks sees the old folder or
// the new one; a process that is killed at any moment leaves one of the two, and at most a staging folder that the
// next one sweeps away.
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
  /// Stages a folder for `target`, whose parents are made. Nothing, with E0601, when that fails.
  static std::optional<StagedFolder> create(const std::string &target, Diagnostics &diagnostics);

  /// Writes a file by its path in the folder and flushes it. False, with E0601; paths that leave the
  /// folder are refused.
  bool add(const std::string &path, std::string_view bytes, bool executable, Diagnostics &diagnostics);
  /// Where the files are until then, for programs that have to see them.
  const std::string &path() const { return staged; }
  /// Flushes and renames into place; the old folder is removed afterwards. False, with E0601, and the old folder stays.
  bool publish(Diagnostics &diagnostics);

  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder &operator=(StagedFolder &&) = delete;
  /// Removes what was not published.
  ~StagedFolder();

private:
  StagedFolder() = default;
  std::string target, staged;
};

/// Removes a folder so that it is there or gone, never half: it is renamed first.
bool removeFolder(const std::string &path, Diagnostics &diagnostics);

/// Puts back what a killed process left half-way in `parent`, and removes its staging folders. With `all`: those of
/// every process, for callers that hold the lock of the place; else of processes that are gone.
void recover(const std::string &parent, bool all);

} // namespace opc

#endif // OPC_RUNTIME_OPP_STAGEDFOLDER_H
