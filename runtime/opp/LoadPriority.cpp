#include "runtime/opp/LoadPriority.h"

#include "runtime/core/File.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace opc {

static constexpr int64_t kMaxBytes = 1 << 16;
static constexpr const char *kKey = "load_priority";

static std::string fileOf(const std::string &vendors) {
  return vendors + "/config.ini";
}

bool LoadPriority::has(const std::string &vendor) const {
  return std::find(vendors.begin(), vendors.end(), vendor) != vendors.end();
}

static std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Whether a text is a valid folder name; vendors other than opc may use any.
static bool isName(const std::string &name) {
  if (name.empty() || name.size() > 255 || name == "." || name == "..")
    return false;
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

/// The value of the line load_priority; nullopt for other lines.
static std::optional<std::string> listOf(const std::string &line) {
  size_t equals = line.find('=');
  if (equals == std::string::npos || trimmed(line.substr(0, equals)) != kKey)
    return std::nullopt;
  return line.substr(equals + 1);
}

static std::nullopt_t refuse(const std::string &file, unsigned line, const std::string &why, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0543, {file, line, 0}, why, {}, "mend the file by hand");
  return std::nullopt;
}

std::optional<LoadPriority> readLoadPriority(const std::string &vendors, Diagnostics &diagnostics) {
  std::string file = fileOf(vendors);
  std::error_code error;
  LoadPriority priority;
  if (!fs::exists(fs::symlink_status(file, error)))
    return priority;
  std::optional<std::string> text = readFile(file, kMaxBytes, diagnostics);
  if (!text)
    return std::nullopt;
  bool found = false;
  unsigned number = 0;
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    std::string line = text->substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find('\0') != std::string::npos)
      return refuse(file, number, "expects text, found a NUL", diagnostics);
    std::optional<std::string> list = listOf(line);
    if (!list) {
      (found ? priority.after : priority.before).push_back(line);
      continue;
    }
    if (found)
      return refuse(file, number, "expects one line load_priority, found a second one", diagnostics);
    found = true;
    for (size_t from = 0; from <= list->size();) {
      size_t to = std::min(list->find(',', from), list->size());
      std::string name = trimmed(list->substr(from, to - from));
      from = to + 1;
      if (name.empty())
        continue;
      if (!isName(name))
        return refuse(file, number, "expects names of vendors, found '" + printable(name) + "'", diagnostics);
      if (!priority.has(name))
        priority.vendors.push_back(name);
    }
  }
  return priority;
}

bool writeLoadPriority(const std::string &vendors, const LoadPriority &priority, Diagnostics &diagnostics) {
  std::string text;
  for (const std::string &line : priority.before)
    text += line + "\n";
  text += std::string(kKey) + "=";
  for (size_t i = 0; i < priority.vendors.size(); ++i)
    text += (i ? "," : "") + priority.vendors[i];
  text += "\n";
  for (const std::string &line : priority.after)
    text += line + "\n";
  std::optional<AtomicFile> file = AtomicFile::create(fileOf(vendors), diagnostics);
  if (!file)
    return false;
  file->write(text.data(), text.size());
  if (!file->commit(diagnostics))
    return false;
  // Flush the folder, so that the rename is on the disk.
  int fd = open(vendors.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    fsync(fd);
    close(fd);
  }
  return true;
}

} // namespace opc
