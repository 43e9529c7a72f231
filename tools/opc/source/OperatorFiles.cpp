#include "tools/opc/source/OperatorFiles.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr size_t kMostFiles = 1000;
static constexpr int kDeepest = 3;

/// Folders of a project that hold no part of an operator.
static bool isAside(const std::string &name) {
  static const std::set<std::string> names = {"build",   "build_out", "cmake", "docs",  "examples",
                                              "example", "scripts",   "test",  "tests", "testcases"};
  return names.count(name) != 0 || (!name.empty() && name[0] == '.');
}

/// The regular files below a folder with one of the extensions, sorted; links to folders are not followed.
static std::vector<std::string> filesBelow(const std::string &folder, const std::set<std::string> &extensions) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && walk != end && files.size() < kMostFiles; walk.increment(error)) {
    std::error_code unheard;
    if (walk->is_directory(unheard)) {
      if (walk.depth() >= kDeepest || isAside(walk->path().filename().string()))
        walk.disable_recursion_pending();
    } else if (walk->is_regular_file(unheard) && extensions.count(walk->path().extension().string())) {
      files.push_back(walk->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

static const std::set<std::string> &sources() {
  static const std::set<std::string> extensions = {".cpp", ".cc", ".cxx"};
  return extensions;
}

/// The folders named `name` at or below `folder`, sorted.
static std::vector<std::string> foldersNamed(const std::string &folder, const std::string &name) {
  std::vector<std::string> folders;
  std::error_code error;
  if (fs::path(folder).lexically_normal().filename() == name)
    return {folder};
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, error), end;
  for (size_t seen = 0; !error && walk != end && seen < 100 * kMostFiles; walk.increment(error), ++seen) {
    std::error_code unheard;
    if (!walk->is_directory(unheard))
      continue;
    const std::string found = walk->path().filename().string();
    if (found == name)
      folders.push_back(walk->path().string());
    if (found == name || walk.depth() >= kDeepest || isAside(found))
      walk.disable_recursion_pending();
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

static std::string stemOf(const std::string &path) {
  return fs::path(path).stem().string();
}

/// Whether a file of a folder with several operators belongs to the kernel `stem`: "add" owns add.cpp and
/// add_tiling.cpp, but not add_relu.cpp if that is a kernel too.
static bool belongsTo(const std::string &file, const std::string &stem, const std::vector<std::string> &kernels) {
  const std::string name = stemOf(file);
  std::string owner;
  for (const std::string &kernel : kernels) {
    const std::string candidate = stemOf(kernel);
    if (name.compare(0, candidate.size(), candidate) == 0 && candidate.size() > owner.size())
      owner = candidate;
  }
  return owner == stem;
}

static std::vector<std::string> hostFilesOf(const std::string &folder, const std::string &kernel,
                                            const std::vector<std::string> &kernels) {
  std::vector<std::string> all = filesBelow(folder, sources()), own;
  for (const std::string &file : all)
    if (kernels.size() < 2 || belongsTo(file, stemOf(kernel), kernels))
      own.push_back(file);
  return own.empty() ? all : own;
}

static bool isFolder(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::optional<OperatorFiles> findOperatorFiles(const std::string &path, const std::string &host,
                                               const std::string &kernel, Diagnostics &diagnostics) {
  OperatorFiles files;
  if (!host.empty() && !isFolder(host)) {
    diagnostics.error(Code::E0801, {}, "--host expects a folder, found '" + printablePath(host) + "'");
    return std::nullopt;
  }
  std::vector<std::string> kernels;
  std::string beside;
  if (!isFolder(path)) {
    files.kernel = path;
    kernels = {path};
  } else {
    const std::vector<std::string> folders = foldersNamed(path, "op_kernel");
    for (const std::string &folder : folders.empty() ? std::vector<std::string>{path} : folders)
      for (const std::string &file : filesBelow(folder, sources()))
        if (!folders.empty() || fs::path(file).parent_path() == fs::path(path))
          kernels.push_back(file);
    std::vector<std::string> fitting;
    for (const std::string &file : kernels)
      if (kernel.empty() || kernels.size() == 1 || stemOf(file) == kernel)
        fitting.push_back(file);
    std::string list, nearest = nearestName(kernel, [&kernels] {
                        std::vector<std::string> names;
                        for (const std::string &file : kernels)
                          names.push_back(stemOf(file));
                        return names;
                      }());
    for (size_t i = 0; i < kernels.size() && i < 20; ++i)
      list += (i ? ", '" : "'") + printable(stemOf(kernels[i])) + "'";
    if (kernels.empty()) {
      diagnostics.error(Code::E0801, {path}, "expects a folder with op_kernel/<name>.cpp, found no source in it", {},
                        "--source names a kernel's file, or the folder that msopgen made");
      return std::nullopt;
    }
    if (fitting.size() != 1) {
      diagnostics.error(Code::E0801, {path},
                        fitting.empty() ? "expects a source '" + printable(kernel) + ".cpp', found " + list
                                        : "expects one kernel, found " + list,
                        {},
                        fitting.empty() && !nearest.empty() ? "did you mean '" + nearest + "'?"
                                                            : "--kernel names the one to run");
      return std::nullopt;
    }
    files.kernel = fitting.front();
    const fs::path inside = fs::path(files.kernel).lexically_relative(path);
    if (std::distance(inside.begin(), inside.end()) > 2)
      diagnostics.remark(Code::E0801, {path}, // it may not be the intended one
                         "the folder has one operator below it: " + printablePath(files.kernel));
    for (fs::path up = fs::path(files.kernel).parent_path(); beside.empty() && up.has_relative_path();
         up = up.parent_path()) {
      if (isFolder((up.parent_path() / "op_host").string()))
        beside = (up.parent_path() / "op_host").string();
      if (up.lexically_normal() == fs::path(path).lexically_normal())
        break;
    }
    if (const fs::path host = fs::path(path) / ".." / "op_host"; beside.empty() && isFolder(host.string()))
      beside = host.string(); // "." in op_kernel
  }
  const std::string folder = host.empty() ? beside : host;
  if (folder.empty())
    return files;
  files.host = hostFilesOf(folder, files.kernel, kernels);
  files.includes = {folder, fs::path(files.kernel).parent_path().string()};
  if (files.host.empty()) {
    diagnostics.error(Code::E0801, {folder}, "expects the operator's host files, found no source in the folder");
    return std::nullopt;
  }
  return files;
}

} // namespace opc::tool
