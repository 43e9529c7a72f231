// Functions are recognised by indentation: a function starts at a line with a parameter list that ends in "{", and
// ends at the "}" with the same indentation.

#include "lowering/emit/cpp/Markers.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace opc;

static constexpr llvm::StringLiteral kName = "//@name ", kField = "//@field ", kPlace = "//@at ";

static void mark(OpBuilder &builder, StringRef kind, Value value, StringRef name) {
  std::string text = kind.str() + "{} " + name.str();
  emitc::VerbatimOp::create(builder, value.getLoc(), builder.getStringAttr(text), value);
}

void opc::markName(OpBuilder &builder, Value value, StringRef name) {
  mark(builder, kName, value, name);
}
void opc::markField(OpBuilder &builder, Value value, StringRef name) {
  mark(builder, kField, value, name);
}

void opc::markPlace(OpBuilder &builder, const Origin &origin) {
  if (!origin.known())
    return;
  // A file name must not end the comment, so only characters of plain file names are kept.
  std::string file = origin.file;
  for (char &c : file)
    if (!llvm::isAlnum(c) && !StringRef("._-+").contains(c))
      c = '_';
  std::string text = kPlace.str() + file + ":" + std::to_string(origin.line);
  emitc::VerbatimOp::create(builder, builder.getUnknownLoc(), text);
}

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_';
}

static size_t indentOf(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}

static bool startsFunction(StringRef line) {
  StringRef text = line.trim();
  bool control = text.starts_with("for ") || text.starts_with("if ") || text.starts_with("}") || text.starts_with("//");
  return text.ends_with(") {") && !control;
}

// Replaces whole words. Comments and strings contain no names of the printer that have a marker.
static std::string renamed(StringRef line, const llvm::StringMap<std::string> &names) {
  std::string result;
  for (size_t i = 0; i < line.size();) {
    if (!isWord(line[i])) {
      result += line[i++];
      continue;
    }
    size_t end = i;
    while (end < line.size() && isWord(line[end]))
      ++end;
    StringRef word = line.slice(i, end);
    bool isMember = i > 0 && line[i - 1] == '.';
    auto name = names.find(word);
    result += name != names.end() && !isMember ? name->second : word.str();
    i = end;
  }
  return result;
}

// "int64_t v7 = x" becomes an assignment to a field, so its type is removed.
static StringRef withoutType(StringRef line, const llvm::StringSet<> &fields, std::string &storage) {
  size_t assign = line.find(" = ");
  if (assign == StringRef::npos)
    return line;
  StringRef name = line.take_front(assign).rsplit(' ').second;
  if (!fields.contains(name))
    return line;
  storage = std::string(indentOf(line), ' ') + line.drop_front(assign - name.size()).str();
  return storage;
}

static void resolveFunction(ArrayRef<StringRef> lines, std::string &result) {
  llvm::StringMap<std::string> names;
  llvm::StringSet<> fields;
  for (StringRef line : lines) {
    StringRef text = line.trim();
    bool field = text.starts_with(kField);
    if (!field && !text.starts_with(kName))
      continue;
    auto [value, name] = text.drop_front(field ? kField.size() : kName.size()).split(' ');
    names[value] = name.str();
    if (field)
      fields.insert(value);
  }
  std::string place;
  for (auto [i, line] : llvm::enumerate(lines)) {
    StringRef text = line.trim();
    if (text.starts_with(kName) || text.starts_with(kField))
      continue;
    if (text.starts_with(kPlace)) {
      place = "  // " + text.drop_front(kPlace.size()).str();
      continue;
    }
    if (text == "return;" && i + 2 == lines.size())
      continue;
    if (text.starts_with("#")) {
      result += text.str() + "\n";
      continue;
    }
    std::string storage;
    result += renamed(withoutType(line, fields, storage), names) + place + "\n";
    place.clear();
  }
}

std::string opc::resolveMarkers(StringRef text) {
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  std::string result;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i + 1;
    if (startsFunction(lines[i])) {
      std::string close = std::string(indentOf(lines[i]), ' ') + "}";
      while (end < lines.size() && lines[end] != close)
        ++end;
      // The second line of a long signature looks like the start of a function, but no "}" matches its indentation.
      end = end == lines.size() ? i + 1 : end + 1;
    }
    resolveFunction(ArrayRef(lines).slice(i, end - i), result);
    i = end;
  }
  return result;
}
