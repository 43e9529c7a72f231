// Output files and folders of commands. Op folders are written atomically.

#ifndef OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H
#define OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H

#include "lowering/pipelines/Compile.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// Whether two paths refer to the same regular file, which may not exist yet. Devices and pipes do not count, since
/// they may be written to twice.
bool isSameFile(const std::string &first, const std::string &second);

/// Writes the files to a staging folder and renames it to `path`. Replaces an existing op folder (with a
/// manifest.json of opc) and keeps the user's files in it, or an empty folder; refuses anything else. On failure
/// reports E0601 or E0604, changes nothing and returns false. A termination signal is deferred until the folder is
/// complete or removed; the function then returns false without an error.
bool writeOutputFolder(const std::string &path, const std::vector<CompiledFile> &files, Diagnostics &diagnostics);

/// The same, also for model folders (with a model.json); `fill` writes further files into the staging folder that are
/// too large for memory, and returns false after an error.
using FillFolder = std::function<bool(const std::filesystem::path &staged)>;
bool writeOutputFolder(const std::string &path, const std::vector<CompiledFile> &files, const FillFolder &fill,
                       Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H
