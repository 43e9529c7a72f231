#include "runtime/compiler.h"

#include "runtime/program/format/Sha256.h"

#include <algorithm>
#include <mutex>

namespace opc {

static std::string joined(const std::vector<std::string> &values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? "," : "") + values[i];
  return text;
}

static std::vector<std::string> split(const std::string &text, char mark) {
  std::vector<std::string> parts;
  for (size_t start = 0; !text.empty() && start <= text.size();) {
    size_t end = std::min(text.find(mark, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// Escapes '%', ',', ';', '=' and control characters as %XX: the result is one line, and different values give
/// different results.
static std::string escaped(const std::string &value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (char character : value) {
    auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7f || byte == '%' || byte == ',' || byte == ';' || byte == '=') {
      text += '%';
      text += digits[byte >> 4];
      text += digits[byte & 15];
    } else {
      text += character;
    }
  }
  return text;
}

static std::string unescaped(const std::string &text) {
  auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 2 >= text.size()) {
      value += text[i];
      continue;
    }
    value += char(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return value;
}

std::vector<std::pair<std::string, std::string>> KernelKey::fields() const {
  std::string bound;
  for (const auto &[name, value] : attributes)
    bound += (bound.empty() ? "" : ";") + escaped(name) + "=" + escaped(value);
  std::vector<std::string> safeFormats;
  for (const std::string &format : formats)
    safeFormats.push_back(escaped(format));
  return {{"op_type", escaped(opType)},    {"tiling_key", escaped(tilingKey)},
          {"types", joined(types)},        {"formats", joined(safeFormats)},
          {"attributes", bound},           {"target", escaped(target)},
          {"compiler", escaped(compiler)}, {"schedule", escaped(schedule)},
          {"source", escaped(source)}};
}

std::string KernelKey::text() const {
  std::string text;
  for (const auto &[name, value] : fields())
    text += name + "=" + value + "\n";
  return text;
}

std::string KernelKey::hash() const {
  return sha256(text());
}

std::optional<KernelKey> KernelKey::parse(const std::string &text) {
  std::map<std::string, std::string> values;
  for (const std::string &line : split(text, '\n')) {
    size_t mark = line.find('=');
    if (mark != std::string::npos)
      values[line.substr(0, mark)] = line.substr(mark + 1);
  }
  KernelKey key;
  key.opType = unescaped(values["op_type"]);
  key.tilingKey = unescaped(values["tiling_key"]);
  key.types = split(values["types"], ',');
  for (const std::string &format : split(values["formats"], ','))
    key.formats.push_back(unescaped(format));
  for (const std::string &pair : split(values["attributes"], ';')) {
    size_t mark = pair.find('=');
    if (mark != std::string::npos)
      key.attributes[unescaped(pair.substr(0, mark))] = unescaped(pair.substr(mark + 1));
  }
  key.target = unescaped(values["target"]);
  key.compiler = unescaped(values["compiler"]);
  key.schedule = unescaped(values["schedule"]);
  key.source = unescaped(values["source"]);
  // Accept only what text() writes: a text that does not round-trip is not a key.
  if (key.text() != text)
    return std::nullopt;
  return key;
}

static std::mutex registryMutex;
static std::shared_ptr<KernelCompiler> &registry() {
  static std::shared_ptr<KernelCompiler> compiler;
  return compiler;
}

void registerKernelCompiler(std::shared_ptr<KernelCompiler> compiler) {
  std::lock_guard<std::mutex> lock(registryMutex);
  registry() = std::move(compiler);
}

std::shared_ptr<KernelCompiler> kernelCompiler() {
  std::lock_guard<std::mutex> lock(registryMutex);
  return registry();
}

} // namespace opc
