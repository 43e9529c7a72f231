// Each part of a manifest has one function that names its fields in their order. It serves the writer and the reader,
// so that they cannot differ: both are a `Stream`, which takes a field as its argument.

#include "runtime/program/model/KernelTable.h"

#include "runtime/program/ManifestNames.h"
#include "runtime/program/ScalarCodeFile.h"
#include "runtime/program/format/ByteStream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <type_traits>

using namespace opc;

static constexpr std::string_view kMagic = "OPCK";
static constexpr uint32_t kVersion = 4;

/// Maximum bytes of the tiling functions of all kernels of a table together. A table names a function by its number,
/// and each kernel gets a copy.
static constexpr size_t kMaxCopied = size_t(256) << 20;

/// The bytes of a copy, with the names of its outputs.
static size_t bytesOf(const TilingFunction &function) {
  size_t bytes = function.code.size() * sizeof(ScalarInstruction) + function.inputs.size() * sizeof(TilingInput);
  for (const TilingFunction::Output &output : function.outputs)
    bytes += sizeof output + output.field.name.size();
  return bytes;
}

/// Alternatives of ManifestValue.
static constexpr size_t kNumValues = std::variant_size_v<ManifestValue>;

namespace {

class Writer {
public:
  static constexpr bool isReader = false;
  explicit Writer(ByteWriter &bytes) : bytes(bytes) {}

  void operator()(const std::string &text) { bytes.putString(text); }
  void operator()(bool truth) { bytes.put(static_cast<uint8_t>(truth)); }
  void operator()(double real) {
    uint64_t bits;
    std::memcpy(&bits, &real, sizeof bits);
    bytes.put(bits);
  }
  template <typename T> std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>> operator()(T number) {
    bytes.put(number);
  }
  template <typename T> void enumerator(T value, uint8_t) { bytes.put(static_cast<uint8_t>(value)); }
  void code(const std::vector<ScalarInstruction> &instructions) { writeScalarCode(bytes, instructions); }
  size_t count(size_t number) {
    bytes.put(static_cast<uint32_t>(number));
    return number;
  }

private:
  ByteWriter &bytes;
};

class Reader {
public:
  static constexpr bool isReader = true;
  explicit Reader(ByteReader &bytes) : bytes(bytes) {}

  void operator()(std::string &text) {
    text = bytes.getString();
    // Texts of JSON have no NUL, and C code would end there.
    isWrong |= text.find('\0') != std::string::npos;
  }
  void operator()(bool &truth) { enumerator(truth, 1); }
  void operator()(double &real) {
    auto bits = bytes.get<uint64_t>();
    std::memcpy(&real, &bits, sizeof real);
    isWrong |= std::isnan(real);
  }
  template <typename T> std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>> operator()(T &number) {
    number = bytes.get<T>();
  }
  /// `last` is the largest enumerator.
  template <typename T> void enumerator(T &value, uint8_t last) {
    auto number = bytes.get<uint8_t>();
    isWrong |= number > last;
    value = static_cast<T>(isWrong ? 0 : number);
  }
  void code(std::vector<ScalarInstruction> &instructions) { readScalarCode(bytes, instructions); }
  /// Every element takes a byte at least, so the input bounds the count.
  size_t count(size_t) { return bytes.getCount(1); }

  /// The rest need not be read.
  bool hasEnded() const { return isWrong || bytes.failed(); }
  bool isWrong = false; ///< a number that names nothing, or a text with a NUL

private:
  ByteReader &bytes;
};

/// The fields of manifests, for a Writer (M is const Manifest) or a Reader.
template <typename Stream> class Fields {
public:
  explicit Fields(Stream &stream) : stream(stream) {}

  template <typename M> void manifest(M &value) {
    tilings.clear();
    tilingBytes.clear();
    numbers.clear();
    all(value.opType, value.name, value.version, value.compiler, value.target, value.body, value.contractSha256,
        value.isStatic, value.refusesEmpty);
    list(value.inputs, [&](auto &each) { tensor(each); });
    list(value.outputs, [&](auto &each) { tensor(each); });
    list(value.workspace, [&](auto &each) { tensor(each); });
    list(value.attributes, [&](auto &each) { attribute(each); });
    list(value.symbols, [&](auto &each) { symbol(each); });
    list(value.kernels, [&](auto &each) { kernel(each); });
    list(value.cpuKernels, [&](auto &each) { kernel(each); });
    stream(value.cpuLibrary);
    list(value.cpuLevels, stream);
    list(value.files, [&](auto &each) { all(each.path, each.sha256); });
  }

  size_t copied = 0; ///< bytes of all copies

private:
  template <typename... T> void all(T &...values) { (stream(values), ...); }

  template <typename L, typename F> void list(L &values, F &&each) {
    const size_t count = stream.count(values.size());
    if constexpr (Stream::isReader) {
      // Not all at once: an element may take many more bytes of memory than of the input.
      for (size_t i = 0; i < count && !stream.hasEnded() && copied <= kMaxCopied; ++i)
        each(values.emplace_back());
    } else {
      for (auto &value : values)
        each(value);
    }
  }

  template <typename T> void optional(T &value) {
    bool isThere = value.has_value();
    stream(isThere);
    if constexpr (Stream::isReader) {
      if (isThere)
        value.emplace();
    }
  }

  template <typename T> void tensor(T &value) {
    stream(value.name);
    list(value.types, [&](auto &type) { stream.enumerator(type, kNumElementTypes - 1); });
    list(value.formats, stream);
    list(value.shape, [&](auto &dim) {
      stream.enumerator(dim.kind, ManifestDim::Pack);
      all(dim.name, dim.size);
    });
    stream(value.required);
    stream.enumerator(value.broadcast, ManifestTensor::Batch);
    optional(value.reduces);
    if (value.reduces)
      all(value.reduces->input, value.reduces->axes, value.reduces->keepDims);
    optional(value.values);
    if (value.values)
      all(value.values->along, value.values->fromEnd);
  }

  template <typename T> void attribute(T &value) {
    stream(value.name);
    stream.enumerator(value.type, ManifestAttribute::ListString);
    stream.enumerator(value.bind, ManifestAttribute::Shape);
    auto alternative = static_cast<uint8_t>(value.defaultValue.index());
    stream.enumerator(alternative, kNumValues - 1);
    if constexpr (Stream::isReader)
      setAlternative<0>(value.defaultValue, alternative);
    std::visit([&](auto &held) { this->held(held); }, value.defaultValue);
    optional(value.minimum);
    if (value.minimum)
      stream(*value.minimum);
    optional(value.maximum);
    if (value.maximum)
      stream(*value.maximum);
  }

  template <size_t I> static void setAlternative(ManifestValue &value, size_t number) {
    if constexpr (I < kNumValues) {
      if (I == number)
        value.emplace<I>();
      else
        setAlternative<I + 1>(value, number);
    }
  }
  template <typename T> void held(T &value) { stream(value); }
  void held(const std::monostate &) {}
  void held(std::monostate &) {}
  template <typename T> void held(std::vector<T> &values) { list(values, stream); }
  template <typename T> void held(const std::vector<T> &values) { list(values, stream); }
  // A reader cannot have a reference to an element of this one.
  void held(std::vector<bool> &values) {
    for (size_t count = stream.count(0); count > 0 && !stream.hasEnded(); --count) {
      bool truth = false;
      stream(truth);
      values.push_back(truth);
    }
  }
  void held(const std::vector<bool> &values) {
    stream.count(values.size());
    for (bool truth : values)
      stream(truth);
  }

  template <typename T> void symbol(T &value) {
    all(value.name, value.minimum, value.maximum, value.minimumRank, value.maximumRank);
    list(value.inputs, stream);
    stream(value.numRegisters);
    stream.code(value.code);
    stream(value.label);
  }

  template <typename T> void tiling(T &value) {
    list(value.inputs, [&](auto &input) {
      stream.enumerator(input.kind, TilingInput::Reduced);
      all(input.tensor, input.dim);
    });
    stream(value.numRegisters);
    stream.code(value.code);
    list(value.outputs, [&](auto &output) {
      stream(output.field.name);
      stream.enumerator(output.field.type, TilingField::Float32);
      stream(output.reg);
    });
  }

  template <typename T> void kernel(T &value) {
    all(value.name, value.tilingKey, value.typeRow, value.simulatorProgram, value.cpuAlone);
    if constexpr (Stream::isReader) {
      uint32_t number = 0;
      stream(number);
      if (number == tilings.size()) {
        tiling(tilings.emplace_back());
        tilingBytes.push_back(bytesOf(tilings.back()));
      }
      stream.isWrong |= number >= tilings.size();
      if (stream.hasEnded())
        return;
      copied += tilingBytes[number];
      if (copied <= kMaxCopied)
        value.tiling = tilings[number];
    } else {
      auto [known, isNew] = numbers.emplace(writeTiling(value.tiling), static_cast<uint32_t>(numbers.size()));
      stream(known->second);
      if (isNew)
        tiling(value.tiling);
    }
    list(value.launchAttributes, stream);
  }

  Stream &stream;
  std::vector<TilingFunction> tilings;              ///< of a manifest that is read
  std::vector<size_t> tilingBytes;                  ///< of each
  std::map<std::vector<uint8_t>, uint32_t> numbers; ///< of a manifest that is written, by the bytes of the function
};

} // namespace

std::vector<uint8_t> opc::writeKernelTable(const std::vector<Manifest> &manifests) {
  ByteWriter bytes;
  bytes.putBytes(kMagic);
  bytes.put(kVersion);
  bytes.put(static_cast<uint32_t>(manifests.size()));
  Writer writer(bytes);
  Fields<Writer> fields(writer);
  for (const Manifest &manifest : manifests)
    fields.manifest(manifest);
  return bytes.take();
}

std::string opc::readKernelTable(const uint8_t *data, size_t size, std::vector<Manifest> &manifests) {
  ByteReader bytes(data, size);
  manifests.clear();
  if (!bytes.skipBytes(kMagic))
    return "expects a table of kernels, found other bytes";
  auto version = bytes.get<uint32_t>();
  if (!bytes.failed() && version != kVersion)
    return "expects version " + std::to_string(kVersion) + " of tables of kernels, found version " +
           std::to_string(version);
  Reader reader(bytes);
  Fields<Reader> fields(reader);
  size_t count = bytes.getCount(1);
  for (size_t i = 0; i < count && !reader.hasEnded() && fields.copied <= kMaxCopied; ++i)
    fields.manifest(manifests.emplace_back());
  // The first error is reported: bytes after it were read as other fields.
  if (reader.isWrong)
    return "the table of kernels has a number that names nothing, or a text with a NUL";
  if (fields.copied > kMaxCopied)
    return "expects tiling functions of at most " + std::to_string(kMaxCopied) + " bytes in all kernels";
  if (bytes.failed())
    return "the table of kernels is cut short";
  if (!bytes.atEnd())
    return "expects the end of the table of kernels, found more bytes";
  for (size_t i = 0; i < manifests.size(); ++i) {
    const bool isBody = std::count(std::begin(kBodyNames), std::end(kBodyNames), manifests[i].body) != 0;
    if (std::string why = isBody ? checkManifest(manifests[i]) : "expects a body of a kind that there is"; !why.empty())
      return "kernel " + std::to_string(i) + ": " + why;
  }
  return {};
}
