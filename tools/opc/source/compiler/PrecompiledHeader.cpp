#include "tools/opc/source/compiler/PrecompiledHeader.h"

#include "runtime/core/File.h"
#include "runtime/core/cache/CacheSettings.h"
#include "runtime/program/format/Sha256.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/source/compiler/HeaderFirst.h"
#include "tools/opc/source/compiler/SourceCompiler.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sys/stat.h>
#include <unistd.h>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr unsigned kSeconds = 120;
static constexpr uint64_t kCompilerBytes = uint64_t(4) << 30;
static constexpr int64_t kLongestChecksums = 4096, kLongestFile = int64_t(256) << 20;
/// Kernels and host files have an entry each, for each of a few compilers and versions of the toolkit.
static constexpr size_t kMostEntries = 8;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Whether a path is a folder, or a file, of this user that only the user may write to.
static bool isOwn(const std::string &path, mode_t kind) {
  struct stat status = {};
  return lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static std::vector<std::string> filesOf(const HeaderUse &use) {
  return use.withFunctions ? std::vector<std::string>{"header.pch", "functions.o"}
                           : std::vector<std::string>{"header.pch"};
}

/// A line for each file of an entry; nullopt when one cannot be read or is not the user's own.
static std::optional<std::string> checksumsOf(const std::string &folder, const HeaderUse &use) {
  std::string lines;
  for (const std::string &name : filesOf(use)) {
    Diagnostics unread;
    if (!isOwn(folder + "/" + name, S_IFREG))
      return std::nullopt;
    const std::optional<std::string> bytes = readFile(folder + "/" + name, kLongestFile, unread);
    if (!bytes)
      return std::nullopt;
    lines += sha256(*bytes) + " " + name + "\n";
  }
  return lines;
}

static bool isWhole(const std::string &folder, const HeaderUse &use) {
  const std::string checksums = folder + "/checksums";
  Diagnostics unread;
  if (!isOwn(folder, S_IFDIR) || !isOwn(checksums, S_IFREG))
    return false;
  const std::optional<std::string> said = readFile(checksums, kLongestChecksums, unread);
  return said && checksumsOf(folder, use) == *said;
}

static std::string rootOf(const std::string &cachePath) {
  return cachePath + "/headers/v1";
}

/// Creates the folder of all entries; empty if that fails, or if others may write to it.
static std::string openRoot() {
  Diagnostics unread;
  const std::optional<CacheSettings> settings = readCacheSettings({}, unread, false);
  if (!settings || settings->path.empty() || settings->diskMegabytes == 0)
    return {};
  const std::string root = fs::absolute(rootOf(settings->path)).string();
  std::error_code error;
  fs::create_directories(settings->path, error);
  for (const std::string &folder : {fs::path(root).parent_path().string(), root})
    if (mkdir(folder.c_str(), 0700) != 0 && !isOwn(folder, S_IFDIR))
      return {};
  return root;
}

static bool compile(const std::vector<std::string> &arguments) {
  setenv("LC_ALL", "C", 1);
  const ProcessResult result = runProcess(arguments, kSeconds, kCompilerBytes);
  return result.started && !result.timedOut && result.exitCode == 0;
}

/// Makes the files of an entry in a folder.
static bool fill(const std::string &folder, const HeaderUse &use) {
  std::vector<std::string> arguments = {use.compiler};
  std::copy_if(use.options.begin(), use.options.end(), std::back_inserter(arguments),
               [](const std::string &option) { return option.compare(0, 4, "-Wl,") != 0; });
  if (use.withFunctions)
    arguments.insert(arguments.end(), {"-g0", "-fpch-codegen", "-fpch-instantiate-templates"});
  arguments.insert(arguments.end(), {"-x", "c++-header", use.header, "-o", folder + "/header.pch"});
  if (!compile(arguments))
    return false;
  if (use.withFunctions && !compile({use.compiler, "-O0", "-fPIC", "-fno-omit-frame-pointer", "-c",
                                     folder + "/header.pch", "-o", folder + "/functions.o"}))
    return false;
  for (const std::string &name : filesOf(use))
    if (chmod((folder + "/" + name).c_str(), 0600) != 0)
      return false;
  const std::optional<std::string> checksums = checksumsOf(folder, use);
  if (!checksums)
    return false;
  std::ofstream file(folder + "/checksums");
  file << *checksums;
  file.close();
  return file.good() && chmod((folder + "/checksums").c_str(), 0600) == 0;
}

/// Entries, most recently used first; with `isStaged`, unfinished ones.
static std::vector<fs::path> entriesOf(const std::string &root, bool isStaged) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator i(root, error), end; !error && i != end; i.increment(error)) {
    std::error_code unknown;
    const bool staged = i->path().filename().string().compare(0, 7, "staging") == 0;
    const fs::file_time_type time = fs::last_write_time(staged ? i->path() : i->path() / "checksums", unknown);
    if (staged == isStaged)
      found.emplace_back(unknown ? fs::file_time_type::min() : time, i->path());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto &[time, path] : found)
    paths.push_back(std::move(path));
  return paths;
}

static uint64_t removeFolder(const fs::path &folder) {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::error_code unknown;
    const uint64_t size = i->is_regular_file(unknown) ? i->file_size(unknown) : 0;
    bytes += unknown ? 0 : size;
  }
  fs::remove_all(folder, error);
  return bytes;
}

/// Makes an entry, and removes the least recently used ones.
static bool make(const std::string &root, const std::string &folder, const HeaderUse &use) {
  std::string staging = root + "/staging-XXXXXX";
  if (!mkdtemp(staging.data()))
    return false;
  std::error_code error;
  bool good = fill(staging, use);
  if (good) {
    fs::rename(staging, folder, error);
    // Another process may have been faster.
    good = !error || isWhole(folder, use);
  }
  fs::remove_all(staging, error);
  const std::vector<fs::path> entries = entriesOf(root, false);
  for (size_t i = kMostEntries; i < entries.size(); ++i)
    removeFolder(entries[i]);
  return good;
}

std::optional<PrecompiledHeader> precompileHeader(const HeaderUse &use) {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"})
    if (const char *value = std::getenv(name); value && *value)
      return std::nullopt;
  const std::string &macros = compilerMacros(use.compiler);
  static const std::regex clang("#define __clang_major__ (1[5-9]|[2-9]\\d)\\b");
  if (!std::regex_search(macros, clang))
    return std::nullopt;
  const std::string root = openRoot(), &texts = headerTexts(use.headers);
  if (root.empty() || texts.empty())
    return std::nullopt;
  std::string key = use.header + '\n' + (use.withFunctions ? "functions" : "") + '\n' + macros;
  for (const std::string &option : use.options)
    key += option + '\n';
  const std::string hash = sha256(key + texts);
  if (hash.empty())
    return std::nullopt;
  PrecompiledHeader entry{root + "/" + hash, {}};
  if (use.withFunctions)
    entry.functions = entry.folder + "/functions.o";
  if (!isWhole(entry.folder, use)) {
    std::error_code error;
    fs::remove_all(entry.folder, error);
    if (!make(root, entry.folder, use))
      return std::nullopt;
  }
  utimensat(AT_FDCWD, (entry.folder + "/checksums").c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return entry;
}

void discard(const PrecompiledHeader &entry) {
  removeFolder(entry.folder);
}

uint64_t removePrecompiledHeaders(const std::string &cachePath, bool all) {
  uint64_t bytes = 0;
  const std::string root = rootOf(cachePath);
  if (!isOwn(root, S_IFDIR))
    return 0;
  for (bool isStaged : {true, false})
    if (isStaged || all)
      for (const fs::path &entry : entriesOf(root, isStaged))
        bytes += removeFolder(entry);
  return bytes;
}

} // namespace opc::tool
