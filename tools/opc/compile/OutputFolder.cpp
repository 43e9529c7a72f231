#include "tools/opc/compile/OutputFolder.h"

#include "runtime/core/File.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/model/ModelManifest.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/StagedFolder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

/// The canonical absolute path, also of a file that does not exist yet (weakly_canonical alone would keep it relative).
static fs::path placeOf(const std::string &path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

bool isSameFile(const std::string &first, const std::string &second) {
  std::error_code error;
  fs::path one = placeOf(first), other = placeOf(second);
  return one == other && (!fs::exists(one, error) || fs::is_regular_file(one, error));
}

static bool unwritable(Diagnostics &diagnostics, const fs::path &path, const std::string &why) {
  diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(path.string()) + "': " + why);
  return false;
}

/// The files that opc wrote into a folder, by its manifest or model.json; empty for a folder that has neither.
static std::vector<std::string> filesOfOpc(const fs::path &path) {
  Diagnostics ignored;
  std::vector<std::string> files;
  std::optional<std::string> text = readFile((path / "manifest.json").string(), 16 << 20, ignored);
  Manifest manifest;
  if (text && readManifest(*text, manifest).empty()) {
    files = {"manifest.json", manifest.cpuLibrary};
    for (const ManifestFile &file : manifest.files)
      files.push_back(file.path);
    for (const ManifestKernel &kernel : manifest.kernels)
      files.push_back(kernel.simulatorProgram);
  }
  text = readFile((path / kModelManifestName).string(), 16 << 20, ignored);
  ModelManifest model;
  if (text && readModelManifest(*text, model).empty()) {
    files.push_back(kModelManifestName);
    for (const ModelFile &file : model.files)
      files.push_back(file.path);
  }
  return files;
}

/// Whether `path` may be replaced; reports an error otherwise. The working directory must not be replaced.
static bool mayReplace(const fs::path &path, Diagnostics &diagnostics) {
  std::error_code error;
  fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status))
    return true;
  if (fs::is_symlink(status))
    return unwritable(diagnostics, path, "it is a link; name the folder itself");
  if (!fs::is_directory(status))
    return unwritable(diagnostics, path, "it is there and is no folder");
  fs::path real = fs::canonical(path, error), here = fs::current_path(error);
  if (std::mismatch(real.begin(), real.end(), here.begin(), here.end()).first == real.end())
    return unwritable(diagnostics, path, "it is the working folder or holds it; name a folder below it");
  if (fs::is_empty(path, error) || !filesOfOpc(path).empty())
    return true;
  Diagnostics ignored;
  // For another version it is not known which files opc wrote.
  if (const std::optional<std::string> text = readFile((path / kModelManifestName).string(), 16 << 20, ignored)) {
    ModelManifest model;
    diagnostics.error(Code::E0604, {},
                      "expects a new folder, an empty one, or an op folder: '" + printablePath(path.string()) +
                          "' holds a model that this opc does not read: " + readModelManifest(*text, model),
                      "", "remove the folder, or name another one");
    return false;
  }
  diagnostics.error(Code::E0604, {},
                    "expects a new folder, an empty one, or an op folder: '" + printablePath(path.string()) +
                        "' holds something else");
  return false;
}

/// Writes the files without flushing, which would take longer than the compilation. The manifest's checksums detect
/// files that a power failure damaged, and the folder can be compiled again.
static bool writeFiles(const fs::path &folder, const std::vector<CompiledFile> &files, Diagnostics &diagnostics) {
  std::error_code error;
  for (const CompiledFile &file : files) {
    if (DeferredSignals::arrived())
      return false;
    fs::path path = folder / file.path;
    fs::create_directories(path.parent_path(), error);
    if (error)
      return unwritable(diagnostics, path.parent_path(), error.message());
    std::optional<AtomicFile> out = AtomicFile::create(path.string(), diagnostics);
    if (!out)
      return false;
    out->write(file.bytes.data(), file.bytes.size());
    if (!out->commitUnflushed(diagnostics))
      return false;
  }
  return true;
}

/// Moves the user's own files from the old op folder to the new one.
static void keepForeignFiles(const fs::path &old, const fs::path &current) {
  std::error_code error;
  const std::vector<std::string> ours = filesOfOpc(old);
  if (ours.empty())
    return;
  std::vector<fs::path> foreign;
  for (auto entry = fs::recursive_directory_iterator(old, error); !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().lexically_relative(old).generic_string();
    if (!entry->is_directory(error) && std::find(ours.begin(), ours.end(), name) == ours.end())
      foreign.push_back(name);
  }
  for (const fs::path &name : foreign) {
    if (fs::exists(current / name, error))
      continue;
    fs::create_directories((current / name).parent_path(), error);
    fs::rename(old / name, current / name, error);
  }
}

/// Replaces `path` by the staged folder; on success `staged` is the old folder or does not exist.
static bool moveIntoPlace(const fs::path &staged, const fs::path &path, Diagnostics &diagnostics) {
  // A rename replaces a missing or empty folder.
  if (std::rename(staged.c_str(), path.c_str()) == 0)
    return true;
  if (errno != ENOTEMPTY && errno != EEXIST)
    return unwritable(diagnostics, path, std::strerror(errno));
#ifdef RENAME_EXCHANGE
  if (renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0)
    return true;
#endif
  // Without an atomic exchange the folder is missing between two renames, but never partly written.
  fs::path aside = staged.string() + ".old";
  if (std::rename(path.c_str(), aside.c_str()) != 0)
    return unwritable(diagnostics, path, std::strerror(errno));
  if (std::rename(staged.c_str(), path.c_str()) == 0 && std::rename(aside.c_str(), staged.c_str()) == 0)
    return true;
  int cause = errno;
  std::rename(aside.c_str(), path.c_str());
  return unwritable(diagnostics, path, std::strerror(cause));
}

bool writeOutputFolder(const std::string &path, const std::vector<CompiledFile> &files, Diagnostics &diagnostics) {
  return writeOutputFolder(path, files, [](const fs::path &) { return true; }, diagnostics);
}

bool writeOutputFolder(const std::string &path, const std::vector<CompiledFile> &files, const FillFolder &fill,
                       Diagnostics &diagnostics) {
  if (files.empty()) {
    diagnostics.error(Code::E0900, {}, "there is nothing to write to '" + printablePath(path) + "'");
    return false;
  }
  std::error_code error;
  fs::path target = fs::absolute(path, error).lexically_normal();
  if (!target.has_filename())
    target = target.parent_path();
  if (error || !target.has_filename())
    return unwritable(diagnostics, path, "it is no folder that can be made");
  if (!mayReplace(target, diagnostics))
    return false;
  fs::create_directories(target.parent_path(), error);
  if (error)
    return unwritable(diagnostics, target.parent_path(), error.message());
  DeferredSignals signals;
  StagedFolder staged(target);
  if (staged.error())
    return unwritable(diagnostics, target, staged.error().message());
  bool done = writeFiles(staged.path(), files, diagnostics) && fill(staged.path()) &&
              moveIntoPlace(staged.path(), target, diagnostics);
  if (done && fs::exists(staged.path(), error))
    keepForeignFiles(staged.path(), target);
  return done;
}

} // namespace opc::tool
