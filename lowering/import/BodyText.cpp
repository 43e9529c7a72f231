#include "lowering/import/BodyText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

namespace opc {

/// MLIR's parser recurses for every opening bracket and every operator of an affine expression.
static constexpr int kMaxDepth = 200;

/// The position where nesting gets too deep; npos if it does not. Strings and comments do not count.
static size_t tooDeepAt(llvm::StringRef text) {
  int depth = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (llvm::isSpace(c))
      continue;
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    signs = c == '-' ? signs + 1 : 0;
    bool arrow = c == '>' && i > 0 && text[i - 1] == '-';
    if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    else if (c == ')' || c == ']' || c == '}' || (c == '>' && !arrow))
      depth = std::max(depth - 1, 0);
    if (depth > kMaxDepth || signs > kMaxDepth)
      return i;
  }
  return llvm::StringRef::npos;
}

/// The location of a byte in a text.
static Location placeIn(const std::string &path, llvm::StringRef text, size_t at) {
  llvm::StringRef before = text.take_front(at);
  size_t start = before.rfind('\n') == llvm::StringRef::npos ? 0 : before.rfind('\n') + 1;
  return {path, 1 + unsigned(before.count('\n')), 1 + unsigned(at - start)};
}

std::optional<std::string> readBody(const std::string &path, Diagnostics &diagnostics) {
  auto unreadable = [&](const std::string &why) {
    diagnostics.error(Code::E0600, {}, "cannot read the body '" + printablePath(path) + "': " + why);
    return std::nullopt;
  };
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return unreadable(error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return unreadable("it is no regular file");
  if (int64_t(status.getSize()) > kMaxBodyBytes)
    return unreadable("it is " + std::to_string(status.getSize()) + " bytes long, at most " +
                      std::to_string(kMaxBodyBytes) + " are taken");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return unreadable(buffer.getError().message());
  std::string text = (*buffer)->getBuffer().str();
  if (llvm::StringRef(text).starts_with("\xEF\xBB\xBF")) {
    diagnostics.error(Code::E0300, {path, 1, 1}, "a body is plain UTF-8: found a byte order mark before it", {},
                      "save the file without one");
    return std::nullopt;
  }
  if (size_t zero = text.find('\0'); zero != std::string::npos) {
    diagnostics.error(Code::E0300, placeIn(path, text, zero), "a body is text: found a zero byte", {},
                      "save the file as UTF-8");
    return std::nullopt;
  }
  if (size_t deep = tooDeepAt(text); deep != llvm::StringRef::npos) {
    diagnostics.error(Code::E0300, placeIn(path, text, deep),
                      "a body nests brackets and signs at most " + std::to_string(kMaxDepth) + " deep: found more", {},
                      "no operation needs more than one bracket inside of another");
    return std::nullopt;
  }
  return text;
}

/// The types of an alias, one for each row; nullptr if the alias is the author's own.
static const std::vector<ElementType> *aliasTypes(const Contract &contract, llvm::StringRef alias) {
  if (alias == "T")
    return contract.inputs.empty() ? nullptr : &contract.inputs.front().types;
  const ContractTensor *tensor = contract.findTensor({alias.data(), alias.size()});
  return tensor ? &tensor->types : nullptr;
}

static llvm::StringRef spelling(ElementType type) {
  std::string_view name = mlirTypeName(type);
  return {name.data(), name.size()};
}

std::optional<std::string> instantiate(const std::string &text, const Contract &contract, unsigned typeRow,
                                       const std::string &path, Diagnostics &diagnostics) {
  llvm::StringRef line = llvm::StringRef(text).take_until([](char c) { return c == '\n'; });
  llvm::StringRef rest = line.take_front(std::min(line.find("//"), line.size()));
  std::string result;
  while (!rest.empty()) {
    // Copy up to the next '!' that starts a definition.
    size_t start = rest.find('!');
    llvm::StringRef name = start == llvm::StringRef::npos ? llvm::StringRef() : rest.drop_front(start + 1);
    name = name.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
    llvm::StringRef after = name.empty() ? llvm::StringRef() : rest.drop_front(start + 1 + name.size()).ltrim(" \t");
    const std::vector<ElementType> *types = after.starts_with("=") ? aliasTypes(contract, name) : nullptr;
    if (!types || typeRow >= types->size()) {
      size_t copied = start == llvm::StringRef::npos ? rest.size() : start + 1;
      result += rest.take_front(copied);
      rest = rest.drop_front(copied);
      continue;
    }
    llvm::StringRef value = after.drop_front().ltrim(" \t");
    llvm::StringRef type = value.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (llvm::none_of(*types, [&](ElementType row) { return spelling(row) == type; })) {
      unsigned column = unsigned(value.data() - text.data()) + 1;
      std::string rows;
      for (ElementType row : *types)
        rows += (rows.empty() ? "" : ", ") + spelling(row).str();
      diagnostics.error(Code::E0310, {path, 1, column},
                        "expects alias '!" + name.str() + "' to be a type of the contract's table (" + rows +
                            "), found '" + printable(type.str()) + "'",
                        "bind_c1");
      return std::nullopt;
    }
    result += rest.take_front(size_t(value.data() - rest.data()));
    result += spelling((*types)[typeRow]);
    rest = value.drop_front(type.size());
  }
  size_t replaced = std::min(line.find("//"), line.size());
  return result + text.substr(replaced);
}

} // namespace opc
