#include "ops/contract/read/FileText.h"

#include <algorithm>

namespace opc {

// In pieces: files have some kilobytes and limits are a megabyte, whose zeros take longer to write than a file to read
// where memory is watched.
std::string readUpTo(std::istream &stream, size_t limit) {
  constexpr size_t kPiece = 16 << 10;
  std::string text;
  while (stream && text.size() < limit) {
    const size_t before = text.size();
    text.resize(std::min(before + kPiece, limit));
    stream.read(&text[before], static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<size_t>(stream.gcount()));
  }
  return text;
}

} // namespace opc
