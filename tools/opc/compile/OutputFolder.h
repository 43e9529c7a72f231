// Where commands write. An op folder on disk appears whole or not at all.

#ifndef OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H
#define OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H

#include "lowering/pipelines/Compile.h"

#include <string>
#include <vector>

namespace opc::tool {

/// Whether two paths are one regular file, or will be. Devices and pipes may be written to twice.
bool isSameFile(const std::string &first, const std::string &second);

/// Writes the files into a folder beside `path` and renames it into place. An op folder that is there (it has a
/// manifest.json of ours) is replaced, files of the user in it are kept; an empty folder is filled; anything else is
/// refused. False, with E0601 or E0604, and nothing changed. A signal to end is put off until the folder is whole or
/// gone; then false without an error.
bool writeOutputFolder(const std::string &path, const std::vector<CompiledFile> &files, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_OUTPUTFOLDER_H
