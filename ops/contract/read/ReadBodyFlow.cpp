// Finds the inputs of the values that a body returns: its reductions, by their lists of axes, and its arguments.
// Results that reduce different dimensions have separate loops (ops/contract/domain/Reductions.h), and a contract's
// loops must be known before its body is parsed.
//
//   func.func @stats(%x: !x) -> (!a, !b) {
//     %a = te.reduce_sum %x axes [S]           a: axes [S], argument 0
//     %b = te.reduce_max %x axes [C]           b: axes [C], argument 0
//     return %a, %b : !a, !b

#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <bitset>
#include <map>

namespace opc {

/// Maximum number of arguments, and of different lists of axes.
static constexpr size_t kMostCounted = 64;

namespace {

class FlowReader {
public:
  explicit FlowReader(const std::string &text) : text(text) {}
  std::vector<ContractBodyResult> read();

private:
  struct Needs {
    std::bitset<kMostCounted> arguments, lists;
    bool again = false; ///< a reduction depends on another one
    Needs &operator|=(const Needs &other) {
      arguments |= other.arguments;
      lists |= other.lists;
      again |= other.again;
      return *this;
    }
  };
  enum Part { Outside, Header, Body, Return };

  void beginStatement(std::string target, Part next);
  void readName();
  void readAxes();
  void readWord();
  std::string takeName();
  void skipBlanks() { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); }

  const std::string &text;
  size_t at = 0;
  Part part = Outside;
  unsigned depth = 0;   ///< of parentheses in a header
  std::string target;   ///< the value that the statement defines
  Needs needs;          ///< of the statement
  size_t arguments = 0; ///< of the function
  size_t returned = 0;  ///< values after `return`
  bool isTooLarge = false;
  std::map<std::string, Needs> values; ///< of the function
  std::vector<std::vector<std::string>> lists;
  std::vector<Needs> results;
};

} // namespace

static bool isNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.' || c == '-';
}

std::string FlowReader::takeName() {
  const size_t begin = at;
  while (at < text.size() && isNameChar(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

void FlowReader::beginStatement(std::string next, Part of) {
  if (part == Body && !target.empty())
    values[target] = needs;
  target = std::move(next);
  needs = {};
  part = of;
}

// The text is at the name after a '%'.
void FlowReader::readName() {
  std::string name = takeName();
  if (part == Header) {
    isTooLarge |= arguments >= kMostCounted;
    if (!isTooLarge)
      values[name].arguments.set(arguments++);
    return;
  }
  if (part == Return) {
    if (results.size() <= returned)
      results.resize(returned + 1);
    results[returned++] |= values[name];
    return;
  }
  size_t next = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  if (next < text.size() && text[next] == '=')
    return beginStatement(std::move(name), Body);
  if (auto known = values.find(name); known != values.end())
    needs |= known->second;
}

// The text is after the word `axes`.
void FlowReader::readAxes() {
  skipBlanks();
  std::vector<std::string> list;
  auto add = [&](std::string word) {
    if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end())
      list.push_back(std::move(word));
  };
  if (at < text.size() && text[at] == '#') {
    ++at;
    add("#" + takeName());
  } else if (at < text.size() && text[at] == '[') {
    const size_t end = std::min(text.find(']', at), text.size());
    std::string word;
    for (++at; at < end; ++at) {
      if (text[at] == ',')
        add(std::exchange(word, {}));
      else if (!std::isspace(static_cast<unsigned char>(text[at])))
        word += text[at];
    }
    add(std::move(word));
  }
  if (list.empty())
    return;
  auto found = std::find(lists.begin(), lists.end(), list);
  const auto number = size_t(found - lists.begin());
  if (number >= kMostCounted) {
    isTooLarge = true;
    return;
  }
  if (found == lists.end())
    lists.push_back(std::move(list));
  // Operands come before the axes.
  needs.again |= needs.lists.any();
  needs.lists.set(number);
}

void FlowReader::readWord() {
  const std::string word = takeName();
  if (word == "func.func" || word == "func") {
    beginStatement({}, Header);
    values.clear();
    arguments = returned = depth = 0;
  } else if (part == Body && (word == "return" || word == "func.return")) {
    beginStatement({}, Return);
  } else if (part == Body && word == "axes") {
    readAxes();
  }
}

std::vector<ContractBodyResult> FlowReader::read() {
  while (at < text.size() && !isTooLarge) {
    const char c = text[at];
    if (c == '%') {
      ++at;
      readName();
    } else if (c == '!' || c == '#' || c == '@') {
      ++at;
      takeName();
    } else if (isNameChar(c)) {
      readWord();
    } else {
      ++at;
      if (part == Header && (c == '(' || c == ')'))
        depth = c == '(' ? depth + 1 : depth - (depth > 0);
      if (part == Header && c == '{' && depth == 0)
        beginStatement({}, Body);
      else if (part != Header && c == '}')
        beginStatement({}, Outside);
    }
  }
  if (isTooLarge)
    return {};
  std::vector<ContractBodyResult> read(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    for (size_t list = 0; list < lists.size(); ++list)
      if (results[i].lists[list])
        read[i].axes.push_back(lists[list]);
    for (unsigned argument = 0; argument < kMostCounted; ++argument)
      if (results[i].arguments[argument])
        read[i].arguments.push_back(argument);
    read[i].reducesAgain = results[i].again;
  }
  return read;
}

std::vector<ContractBodyResult> readFlow(const std::string &text) {
  return FlowReader(text).read();
}

} // namespace opc
