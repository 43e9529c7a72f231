// The header is a Python dictionary literal with three known keys. The parser accepts exactly that and no other Python.

#include "runtime/core/tensor/Npy.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opc {

static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = 6;
/// NumPy's own limit on the size of a header.
static constexpr size_t kMaxHeader = 10000;
static constexpr size_t kMaxRank = 64;

namespace {
/// A position in the header's text.
struct Cursor {
  std::string_view text;
  size_t at = 0;

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
      ++at;
  }
  bool take(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipBlanks();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  /// A quoted string without escapes.
  bool takeString(std::string_view &value) {
    skipBlanks();
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
      return false;
    size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos)
      return false;
    value = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
  }
  /// A size that fits 63 bits.
  bool takeSize(int64_t &value) {
    skipBlanks();
    size_t start = at;
    value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(text[at] - '0'), &value))
        return false;
    return at > start;
  }
};
} // namespace

static std::string parseShape(Cursor &cursor, Shape &shape) {
  if (!cursor.take('('))
    return "its 'shape' is no tuple";
  while (!cursor.take(')')) {
    int64_t size = 0;
    if (!cursor.takeSize(size))
      return "its 'shape' has an entry that is no size or does not fit 63 bits";
    shape.push_back(size);
    if (shape.size() > kMaxRank)
      return "its rank is above " + std::to_string(kMaxRank);
    if (!cursor.take(',')) {
      if (!cursor.take(')'))
        return "its 'shape' does not end";
      break;
    }
  }
  return {};
}

static std::string parseType(std::string_view descr, ElementType &type) {
  static constexpr struct {
    std::string_view name;
    ElementType type;
  } rows[] = {
      {"f2", ElementType::Float16},  {"f4", ElementType::Float32}, {"f8", ElementType::Float64},
      {"i1", ElementType::Int8},     {"i2", ElementType::Int16},   {"i4", ElementType::Int32},
      {"i8", ElementType::Int64},    {"u1", ElementType::UInt8},   {"u2", ElementType::UInt16},
      {"u4", ElementType::UInt32},   {"u8", ElementType::UInt64},  {"b1", ElementType::Bool},
      {"V2", ElementType::BFloat16},
  };
  std::string shown = "its elements are '" + printable(descr, 40) + "': ";
  if (descr.size() < 2)
    return shown + "no element type";
  char order = descr[0];
  std::string_view name = descr.substr(1);
  if (order == '>')
    return shown + "big-endian elements are not taken; save array.astype(array.dtype.newbyteorder('<'))";
  if (name[0] == 'O')
    return shown + "Python objects are not taken";
  for (const auto &row : rows) {
    bool bytes = row.name[1] == '1' || row.type == ElementType::BFloat16;
    if (row.name != name || !(order == '<' || (order == '|' && bytes)))
      continue;
    type = row.type;
    return {};
  }
  return shown + "taken are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, and V2 for bfloat16";
}

static std::string parseDictionary(std::string_view text, NpyHeader &header) {
  Cursor cursor{text};
  if (!cursor.take('{'))
    return "its header is no dictionary";
  bool haveType = false, haveOrder = false, haveShape = false;
  while (!cursor.take('}')) {
    std::string_view key, descr;
    if (!cursor.takeString(key) || !cursor.take(':'))
      return "its header is damaged";
    if (key == "descr" && !haveType) {
      haveType = true;
      if (!cursor.takeString(descr))
        return "its elements are records; only plain numbers are taken";
      if (std::string why = parseType(descr, header.type); !why.empty())
        return why;
    } else if (key == "fortran_order" && !haveOrder) {
      haveOrder = true;
      if (cursor.takeWord("True"))
        return "it is in column-major (Fortran) order; save numpy.ascontiguousarray(array)";
      if (!cursor.takeWord("False"))
        return "its 'fortran_order' is neither True nor False";
    } else if (key == "shape" && !haveShape) {
      haveShape = true;
      if (std::string why = parseShape(cursor, header.shape); !why.empty())
        return why;
    } else {
      return "its header has the key '" + printable(key, 40) + "' twice or unexpectedly";
    }
    if (!cursor.take(',')) {
      if (!cursor.take('}'))
        return "its header does not end";
      break;
    }
  }
  cursor.skipBlanks();
  if (cursor.at != text.size())
    return "its header goes on after its end";
  if (!haveType || !haveOrder || !haveShape)
    return "its header lacks 'descr', 'fortran_order' or 'shape'";
  return {};
}

std::string parseNpyHeader(const void *data, size_t size, NpyHeader &header) {
  header = NpyHeader();
  const auto *bytes = static_cast<const unsigned char *>(data);
  if (size == 0)
    return "it is empty";
  if (size < kMagicSize || std::memcmp(bytes, kMagic, kMagicSize) != 0)
    return size > 1 && std::memcmp(bytes, "PK", 2) == 0
               ? "it is an archive, as numpy.savez writes it; save each array by numpy.save"
               : "it does not start like a .npy file";
  if (size < 10)
    return "it ends within its header";
  unsigned version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0)
    return "it has version " + std::to_string(version) + "." + std::to_string(bytes[7]) + "; 1.0 to 3.0 are taken";
  size_t prefix = version == 1 ? 10 : 12;
  if (size < prefix)
    return "it ends within its header";
  size_t length = size_t(bytes[8]) | size_t(bytes[9]) << 8;
  if (version > 1)
    length |= size_t(bytes[10]) << 16 | size_t(bytes[11]) << 24;
  if (length > kMaxHeader)
    return "its header claims " + std::to_string(length) + " bytes; at most " + std::to_string(kMaxHeader) +
           " are taken";
  if (length > size - prefix)
    return "it ends within its header";
  header.dataOffset = prefix + length;
  return parseDictionary({reinterpret_cast<const char *>(bytes) + prefix, length}, header);
}

static std::nullopt_t refuse(Diagnostics &diagnostics, Code code, const std::string &path, const std::string &why) {
  diagnostics.error(code, {}, "'" + printablePath(path) + "' is no .npy file that can be taken: " + why);
  return std::nullopt;
}

/// Reads exactly `size` bytes, or fewer at the end of the file; -1 on an error.
static int64_t readFully(int fd, void *data, int64_t size) {
  int64_t done = 0;
  while (done < size) {
    ssize_t count = read(fd, static_cast<char *>(data) + done, size_t(std::min<int64_t>(size - done, 1 << 30)));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return -1;
    if (count == 0)
      break;
    done += count;
  }
  return done;
}

static std::optional<Tensor> readOpen(int fd, int64_t fileSize, const std::string &path, bool asBFloat16,
                                      Diagnostics &diagnostics) {
  std::string start(kMaxHeader + 12, '\0');
  int64_t got = readFully(fd, start.data(), int64_t(start.size()));
  if (got < 0)
    return refuse(diagnostics, Code::E0600, path, std::strerror(errno));
  NpyHeader header;
  if (std::string why = parseNpyHeader(start.data(), size_t(got), header); !why.empty())
    return refuse(diagnostics, Code::E0510, path, why);
  if (asBFloat16) {
    if (header.type != ElementType::UInt16 && header.type != ElementType::BFloat16)
      return refuse(diagnostics, Code::E0510, path,
                    "':bf16' expects elements of 2 unsigned or raw bytes (u2 or V2), they are " +
                        std::string(elementTypeName(header.type)));
    header.type = ElementType::BFloat16;
  }
  int64_t size = int64_t(elementSize(header.type));
  std::optional<int64_t> elements = checkedElements(header.shape, size);
  if (!elements)
    return refuse(diagnostics, Code::E0511, path,
                  "the bytes of shape " + shapeText(header.shape) + " do not fit 63 bits");
  int64_t needed = *elements * size, present = fileSize - int64_t(header.dataOffset);
  if (present != needed)
    return refuse(diagnostics, Code::E0511, path,
                  "shape " + shapeText(header.shape) + " of " + std::string(elementTypeName(header.type)) + " needs " +
                      std::to_string(needed) + " bytes of elements, there are " + std::to_string(present));
  std::optional<Tensor> tensor = Tensor::create(header.type, header.shape);
  if (!tensor)
    return refuse(diagnostics, Code::E0901, path, "no memory for " + std::to_string(needed) + " bytes");
  if (lseek(fd, off_t(header.dataOffset), SEEK_SET) < 0 || readFully(fd, tensor->data(), needed) != needed)
    return refuse(diagnostics, Code::E0600, path, "it changed while it was read");
  if (header.type == ElementType::Bool) {
    const auto *bytes = static_cast<const uint8_t *>(tensor->data());
    for (int64_t i = 0; i < needed; ++i)
      if (bytes[i] > 1)
        return refuse(diagnostics, Code::E0512, path,
                      "element " + std::to_string(i) + " of a bool array is neither 0 nor 1");
  }
  return tensor;
}

std::optional<Tensor> readNpy(const std::string &path, bool asBFloat16, Diagnostics &diagnostics) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status{};
  if (fd < 0 || fstat(fd, &status) != 0) {
    int error = errno;
    if (fd >= 0)
      close(fd);
    diagnostics.error(Code::E0600, {}, "cannot read '" + printablePath(path) + "': " + std::strerror(error));
    return std::nullopt;
  }
  if (!S_ISREG(status.st_mode)) {
    close(fd);
    diagnostics.error(Code::E0600, {},
                      "cannot read '" + printablePath(path) + "': it is " +
                          (S_ISDIR(status.st_mode) ? "a folder" : "no regular file"));
    return std::nullopt;
  }
  std::optional<Tensor> tensor = readOpen(fd, int64_t(status.st_size), path, asBFloat16, diagnostics);
  close(fd);
  return tensor;
}

static std::string_view npyTypeName(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return "<f2";
  case ElementType::Float32:
    return "<f4";
  case ElementType::Float64:
    return "<f8";
  case ElementType::BFloat16:
    return "<V2";
  case ElementType::Int8:
    return "|i1";
  case ElementType::UInt8:
    return "|u1";
  case ElementType::Int16:
    return "<i2";
  case ElementType::UInt16:
    return "<u2";
  case ElementType::Int32:
    return "<i4";
  case ElementType::UInt32:
    return "<u4";
  case ElementType::Int64:
    return "<i8";
  case ElementType::UInt64:
    return "<u8";
  case ElementType::Bool:
    return "|b1";
  }
  return "|V1";
}

std::string npyHeader(ElementType type, const Shape &shape) {
  std::string tuple = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    tuple += std::to_string(shape[i]) + (i + 1 < shape.size() ? ", " : shape.size() == 1 ? "," : "");
  std::string text =
      "{'descr': '" + std::string(npyTypeName(type)) + "', 'fortran_order': False, 'shape': " + tuple + "), }";
  // Pad with blanks, so that the header including the line end is a multiple of 64 bytes.
  size_t total = (10 + text.size() + 1 + 63) / 64 * 64;
  text.resize(total - 10 - 1, ' ');
  text += '\n';
  std::string header(kMagic, kMagicSize);
  header += '\x01';
  header += '\x00';
  header += char(text.size() & 0xff);
  header += char(text.size() >> 8);
  return header + text;
}

void writeNpy(AtomicFile &file, const Tensor &tensor) {
  std::string header = npyHeader(tensor.type(), tensor.shape());
  file.write(header.data(), header.size());
  file.write(tensor.data(), size_t(tensor.numBytes()));
}

} // namespace opc
