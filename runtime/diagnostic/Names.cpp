// Names in messages: the nearest candidate to a misspelt name, and escaping of text from files.

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/diagnostic/Utf8.h"

#include <algorithm>
#include <tuple>

using namespace opc;

/// Longer names get no suggestion, which bounds the cost of hostile keys.
static constexpr size_t kLongestName = 200;

static char lowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

static std::string lowerCase(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lowerCase(c); });
  return result;
}

/// Counts insertions, deletions, replacements and swaps of neighbours.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> previous2(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], previous2[j - 2] + 1);
    }
    std::swap(previous2, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string opc::nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  if (name.empty() || name.size() > kLongestName)
    return {};
  std::string lowerName = lowerCase(name);
  const std::string *best = nullptr;
  // Rank by distance without letter case, then by distance with it, then by difference in length.
  std::tuple<size_t, size_t, size_t> bestRank;
  for (const std::string &candidate : candidates) {
    size_t shorter = std::min(name.size(), candidate.size());
    size_t longer = std::max(name.size(), candidate.size());
    size_t allowed = (longer + 2) / 3;
    if (candidate.empty() || candidate.size() > kLongestName || longer - shorter > allowed)
      continue;
    size_t distance = editDistance(lowerName, lowerCase(candidate));
    if (distance > allowed || distance >= longer)
      continue;
    auto rank = std::make_tuple(distance, editDistance(name, candidate), longer - shorter);
    if (best && rank >= bestRank)
      continue;
    best = &candidate;
    bestRank = rank;
  }
  return best ? *best : std::string();
}

size_t opc::utf8Length(std::string_view text) {
  auto byte = [text](size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  unsigned first = byte(0);
  if (first < 0x80)
    return text.empty() ? 0 : 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool surrogate = first == 0xed && byte(1) >= 0xa0;
  bool beyond = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

/// Length in bytes of the character at the start of `text` if a message may show it unchanged; 0 if it is malformed or
/// one of the control characters U+0080 to U+009F.
static size_t shownLength(std::string_view text) {
  size_t length = opc::utf8Length(text);
  bool control = length == 2 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0;
  return control ? 0 : length;
}

static void appendEscaped(std::string &result, unsigned char c) {
  static constexpr char digits[] = "0123456789abcdef";
  if (c == '\n')
    result += "\\n";
  else if (c == '\t')
    result += "\\t";
  else if (c == '\r')
    result += "\\r";
  else {
    result += "\\x";
    result += digits[c >> 4];
    result += digits[c & 15];
  }
}

std::string opc::printable(std::string_view text, size_t limit) {
  std::string result;
  size_t taken = 0;
  while (taken < text.size()) {
    size_t length = shownLength(text.substr(taken));
    unsigned char first = static_cast<unsigned char>(text[taken]);
    if (taken + std::max<size_t>(length, 1) > limit) {
      result += "...";
      break;
    }
    if (length == 0 || first < 0x20 || first == 0x7f) {
      appendEscaped(result, first);
      taken += 1;
      continue;
    }
    result.append(text.substr(taken, length));
    taken += length;
  }
  return result;
}

std::string opc::printablePath(std::string_view path) {
  return printable(path, /*limit=*/4096); // PATH_MAX: no longer path names a file
}
