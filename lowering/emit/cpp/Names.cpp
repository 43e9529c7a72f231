// Names are split into words at underscores; characters other than letters and digits are dropped.

#include "lowering/emit/cpp/Names.h"

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/toolkit/DeviceMacros.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace opc;

static std::string camel(StringRef name, bool upper) {
  std::string result;
  for (char c : name) {
    if (!llvm::isAlnum(c)) {
      upper |= !result.empty();
      continue;
    }
    result += upper ? llvm::toUpper(c) : c;
    upper = false;
  }
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), 'n');
  return result;
}

std::string opc::lowerCamel(StringRef name) {
  std::string result = camel(name, false);
  result.front() = llvm::toLower(result.front());
  return result;
}

std::string opc::upperCamel(StringRef name) {
  return camel(name, true);
}

std::string opc::frameworkTypeName(ElementType type) {
  static constexpr const char *names[] = {"FLOAT16", "FLOAT",  "BF16",  "INT8",   "UINT8", "INT16", "UINT16",
                                          "INT32",   "UINT32", "INT64", "UINT64", "BOOL",  "DOUBLE"};
  static_assert(std::size(names) == kNumElementTypes);
  return std::string("DT_") + names[static_cast<size_t>(type)];
}

std::string opc::bodyName(Value value) {
  if (auto read = value.getDefiningOp<aicore::TilingDataOp>())
    return read.getName().str();
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().str();
  if (value.getDefiningOp<aicore::BlockIdxOp>())
    return "block";
  return {};
}

static bool isKeyword(StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class",
      "compl", "concept", "const", "continue", "decltype", "default", "delete", "do", "double", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "half", "if", "inline", "int", "long",
      "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
      "register", "requires", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this",
      "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
      "volatile", "while", "xor", "main", "constexpr", "wchar_t", "and_eq", "bitand", "bitor", "char8_t", "char16_t",
      "char32_t", "co_await", "co_return", "co_yield", "compl", "consteval", "constinit", "const_cast", "dynamic_cast",
      "not_eq", "or_eq", "reinterpret_cast", "static_assert", "static_cast", "thread_local", "xor_eq",
      // Types that the emitted text itself uses.
      "bfloat16_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  return words.contains(name);
}

bool opc::isReservedName(StringRef name) {
  return isKeyword(name) || isDeviceMacro({name.data(), name.size()});
}

// A reserved name followed by underscores gets another one, so that two fields never get the same name.
std::string opc::memberName(StringRef field) {
  for (StringRef stem = field; !stem.empty(); stem = stem.drop_back()) {
    if (isReservedName(stem))
      return field.str() + "_";
    if (stem.back() != '_')
      break;
  }
  return field.str();
}

// v1 and i2 are names that the printer gives to values without a name.
static bool isPrinterName(StringRef name) {
  return name.size() > 1 && (name.front() == 'v' || name.front() == 'i') &&
         llvm::all_of(name.drop_front(), llvm::isDigit);
}

std::string NameScope::take(StringRef wanted) {
  std::string name = wanted.str();
  if (isReservedName(name) || isPrinterName(name))
    name += "Value";
  std::string unique = name;
  for (unsigned i = 2; isReservedName(unique) || !taken.insert(unique).second; ++i)
    unique = name + std::to_string(i);
  return unique;
}
