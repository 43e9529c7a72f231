#include "tools/opc/source/compiler/HeaderFirst.h"

#include "runtime/core/File.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <vector>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr int64_t kLongestHeader = int64_t(4) << 20;
static constexpr int kMostIncludes = 4;

static bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

const std::string &headerTexts(const std::string &headers) {
  static std::string folder, texts;
  if (folder == headers)
    return texts;
  folder = headers;
  texts.clear();
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator i(headers, error), end; !error && i != end; i.increment(error))
    if (i->is_regular_file(error))
      paths.push_back(i->path().string());
  if (error)
    return texts;
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    Diagnostics unread;
    const std::optional<std::string> text = readFile(path, kLongestHeader, unread);
    if (!text) {
      texts.clear();
      return texts;
    }
    texts += path.substr(headers.size()) + '\n' + *text + '\n';
  }
  return texts;
}

bool isApartFromHeaders(const std::string &definition, const std::string &headers) {
  const std::string name = definition.substr(0, std::min(definition.find('='), definition.find('(')));
  if (name.empty() || name[0] == '_' || name == "NDEBUG")
    return false;
  const std::string &texts = headerTexts(headers);
  for (size_t at = texts.find(name); at != std::string::npos; at = texts.find(name, at + 1))
    if ((at == 0 || !isWord(texts[at - 1])) && !isWord(texts[at + name.size()]))
      return false;
  return true;
}

/// The first include of a text, without its quotes; empty if the text begins otherwise.
static std::string firstInclude(const std::string &text) {
  static const std::regex form(R"(#[ \t]*include[ \t]*["<]([^">\n]+)[">])");
  size_t at = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.compare(at, 2, "//") == 0) {
      // A line that ends in a backslash continues: such a comment is left to the compiler.
      const size_t end = text.find('\n', at);
      if (end == std::string::npos || text[end - 1] == '\\' || text[end - 1] == '\r')
        return {};
      at = end;
    } else if (text.compare(at, 2, "/*") == 0) {
      const size_t end = text.find("*/", at + 2);
      if (end == std::string::npos)
        return {};
      at = end + 2;
    } else {
      std::smatch match;
      const auto begin = text.begin() + std::ptrdiff_t(at);
      return std::regex_search(begin, text.end(), match, form, std::regex_constants::match_continuous) ? match[1].str()
                                                                                                       : "";
    }
  }
  return {};
}

bool includesFirst(const std::string &path, const std::string &text, const std::string &name) {
  std::string folder = fs::path(path).parent_path().string(), included = firstInclude(text);
  for (int i = 0; i < kMostIncludes && !included.empty(); ++i) {
    const fs::path file = fs::path(folder) / included;
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      return included == name && !fs::exists(fs::path(folder) / name, error);
    Diagnostics unread;
    const std::optional<std::string> next = readFile(file.string(), kLongestHeader, unread);
    if (included == name || !next)
      return false;
    folder = file.parent_path().string();
    included = firstInclude(*next);
  }
  return false;
}

} // namespace opc::tool
