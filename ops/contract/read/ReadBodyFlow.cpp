// Finds the inputs of the values that a body returns: its reductions, by their lists of axes, and its arguments.
// Results that reduce different dimensions have separate loops (ops/contract/domain/Reductions.h), and a contract's
// loops must be known before its body is parsed.
//
//   func.func @stats(%x: !x) -> (!a, !b) {
//     %a = te.reduce_sum %x axes [S]           a: axes [S], argument 0
//     %b = te.reduce_max %x axes [C]           b: axes [C], argument 0
//     return %a, %b : !a, !b
//
// A value that depends on reductions over different axes is computed from the other returned values that it depends on,
// as a later nest of the launch reads them:
//
//     %r = te.reduce_mean %x axes [M] keep     r: axes [M], argument 0
//     %d = te.sub %x, %r
//     %c = te.reduce_mean %d axes [N] keep
//     %y = te.sub %d, %c
//     return %r, %y : !r, !y                   y: axes [N], argument 0, result 0
//
// Reductions that differ in `keep` alone are one value.
//
// A value that takes its shape from a result (`te.broadcast %a to !y`) has the dimensions of this result, and te.iota
// counts along one of them.
//
// An op that scans, gathers or takes parts has loops of its own too. It is treated as a reduction over no dimensions,
// whose list of axes says what it does (nestWayOf).
//
// A reduction along a sum whose terms a concat has is one of each range, and what combines them:
//
//     %s = te.concat %a, %b along A+B
//     %m = te.reduce_max %s axes [A, B]        m: axes [A], argument 0, and axes [B], argument 1
//
// The reductions between, those that are not returned, are listed with what they are computed from, and so are the
// returned values: where `r` is not returned above, `y` is computed from argument 0 and the reductions 0 and 1, and 1
// from argument 0 and 0. Workspace.h decides which of them have memory.

#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"
#include "ops/contract/read/Parts.h"
#include "ops/contract/read/UnusedStatements.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <set>

namespace opc {

/// Maximum number of arguments, of results, and of different lists of axes.
static constexpr size_t kMostCounted = kFirstReturned;

namespace {

class FlowReader {
public:
  explicit FlowReader(const std::string &text) : text(text) {}
  ContractBodyFlow read();
  std::vector<UnusedStatement> takeUnused() { return std::move(unused); }

private:
  struct Needs {
    std::bitset<kMostCounted> arguments, lists;
    std::bitset<kMostCounted> results; ///< other returned values, whose own needs it does not have
    std::bitset<kMostCounted> between; ///< reductions that are not returned, likewise; for steps
    std::bitset<kMostCounted> shaped;  ///< results whose dimensions it has
    std::bitset<kMostCounted> counted; ///< dimensions along which it counts, in the order of the text
    bool again = false;                ///< a reduction depends on another one
    Needs &operator|=(const Needs &other) {
      arguments |= other.arguments;
      lists |= other.lists;
      results |= other.results;
      between |= other.between;
      shaped |= other.shaped;
      counted |= other.counted;
      again |= other.again;
      return *this;
    }
  };
  struct Statement {
    std::string target;
    std::vector<std::string> operands;
    std::bitset<kMostCounted> lists; ///< of its own axes
    size_t begin = 0, end = 0;       ///< of its text behind the '='
    size_t start = 0;                ///< of its text, at the '%'
    bool shapesLoops = false;        ///< it names dimensions
    std::string operation;           ///< "te.add"
    std::string sum;                 ///< of te.concat: along which it is, without blanks
    std::string range;               ///< of what is computed for a range of a sum: which one
    Needs direct;                    ///< what it needs besides its operands and axes
  };
  enum Part { Outside, Header, Body, Return };

  void beginStatement(std::string target, Part next, size_t behind);
  std::string reductionOf(const Statement &statement) const;
  void readName();
  void readAlias();
  void readCounted();
  void readAxes();
  void readApart();
  std::string readSum();
  size_t numberOf(std::vector<std::string> list);
  void addList(std::vector<std::string> list);
  bool hasSum(const std::string &name, const std::string &sum) const;
  std::string rangeOf(const std::string &name, const std::string &sum, size_t place);
  std::string sumReducedBy(const Statement &each) const;
  void combineRanges();
  std::vector<std::string> axesOf(const Statement &each) const {
    for (size_t list = 0; list < lists.size(); ++list)
      if (each.lists[list])
        return lists[list];
    return {};
  }
  void readWord();
  void endFunction();
  void findUnused();
  void endSteps(const std::map<std::string, size_t> &numbers);
  ContractBodyStep stepOf(const std::string &value, const Statement *statement, const Needs &own) const;
  std::string takeName();
  void skipBlanks() { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); }

  const std::string &text;
  size_t at = 0;
  Part part = Outside;
  unsigned depth = 0;                              ///< of parentheses in a header
  std::string target;                              ///< the value that the statement defines
  Needs needs;                                     ///< of the statement
  size_t arguments = 0;                            ///< of the function
  bool inResults = false;                          ///< of a header
  std::vector<std::string> aliases, resultAliases; ///< of the types of its arguments and results
  std::vector<std::string> counts;                 ///< dimensions of te.iota, each once
  bool isTooLarge = false;
  std::map<std::string, Needs> values;      ///< of the function
  std::vector<Statement> statements;        ///< of the function, in order
  std::vector<std::string> returned;        ///< the values after `return`
  Statement statement;                      ///< that is being read
  std::map<std::string, Statement> defined; ///< while ranges are combined: those before, by their targets
  std::vector<std::vector<std::string>> lists;
  std::vector<Needs> results;
  std::optional<ContractBodyFlow> steps; ///< of the first function
  bool differ = false;                   ///< other functions have other steps
  bool isPlain = true;                   ///< the function reads names that it defines before, each once
  std::vector<UnusedStatement> unused;   ///< of all functions
};

} // namespace

void blankUnread(std::string &text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end, text.size() - 1);
      std::fill(text.begin() + ptrdiff_t(i), text.begin() + ptrdiff_t(end) + 1, ' ');
      i = end;
    } else if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      size_t end = std::min(text.find('\n', i), text.size());
      std::fill(text.begin() + ptrdiff_t(i), text.begin() + ptrdiff_t(end), ' ');
      i = end;
    }
  }
}

static bool isNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.' || c == '-';
}

std::string FlowReader::takeName() {
  const size_t begin = at;
  while (at < text.size() && isNameChar(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

/// The text is at its first operand, if it has a target. The statement before it ends at `behind`.
void FlowReader::beginStatement(std::string next, Part of, size_t behind) {
  if (part == Body && !target.empty()) {
    statement.end = behind;
    values[target] = needs;
    statement.target = target;
    statements.push_back(std::move(statement));
  }
  if (part == Return)
    endFunction();
  target = std::move(next);
  needs = {};
  statement = {};
  statement.begin = at;
  part = of;
}

/// The text of a reduction without blanks and `keep`, which says nothing about elements; empty for other statements.
std::string FlowReader::reductionOf(const Statement &each) const {
  std::string words;
  if (each.lists.none())
    return words;
  for (size_t i = each.begin; i < std::min(each.end, text.size());) {
    const size_t begin = i;
    while (i < each.end && isNameChar(text[i]))
      ++i;
    const std::string word = text.substr(begin, i - begin);
    if (i == begin && !std::isspace(static_cast<unsigned char>(text[i])))
      words += text[i];
    else if (!word.empty() && word != "keep")
      words += word + " ";
    i += i == begin;
  }
  return words + each.range;
}

/// Adds the statements on which no returned value depends. A function with names that are unknown or defined twice has
/// none: its mistake is reported where the names are resolved.
void FlowReader::findUnused() {
  std::set<std::string> needed(returned.begin(), returned.end());
  for (const std::string &name : returned)
    isPlain &= values.count(name) > 0;
  if (!isPlain || returned.empty())
    return;
  std::vector<size_t> found;
  for (size_t i = statements.size(); i-- > 0;) {
    if (needed.count(statements[i].target))
      needed.insert(statements[i].operands.begin(), statements[i].operands.end());
    else
      found.push_back(i);
  }
  std::set<std::string> shaping;
  for (auto number = found.rbegin(); number != found.rend(); ++number) {
    const Statement &each = statements[*number];
    const bool shapes = each.shapesLoops || std::any_of(each.operands.begin(), each.operands.end(),
                                                        [&](auto &operand) { return shaping.count(operand) > 0; });
    if (shapes)
      shaping.insert(each.target);
    unused.push_back({each.target, each.start, std::min(each.end, text.size()), shapes});
  }
}

/// The names in a term of a sum: "H" and "W" of "3*H*W".
static std::set<std::string> namesIn(const std::string &term) {
  std::set<std::string> names;
  for (size_t begin = 0; begin <= term.size();) {
    const size_t end = std::min(term.find_first_of("+*", begin), term.size());
    if (end > begin && !std::isdigit(static_cast<unsigned char>(term[begin])))
      names.insert(term.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

static std::vector<std::string> termsOf(const std::string &sum) {
  std::vector<std::string> terms(1);
  for (char c : sum)
    if (c == '+')
      terms.emplace_back();
    else
      terms.back() += c;
  return terms;
}

/// The sum along which a reduction combines the ranges of a concat; empty if there is none.
std::string FlowReader::sumReducedBy(const Statement &each) const {
  for (size_t list = 0; list < lists.size(); ++list)
    for (const auto &[name, concat] : defined) {
      if (!each.lists[list] || concat.sum.empty())
        continue;
      const std::set<std::string> names = namesIn(concat.sum);
      const bool isNamed = std::any_of(lists[list].begin(), lists[list].end(),
                                       [&](const std::string &axis) { return names.count(axis) > 0; });
      if (isNamed && std::any_of(each.operands.begin(), each.operands.end(),
                                 [&](const std::string &operand) { return hasSum(operand, concat.sum); }))
        return concat.sum;
    }
  return {};
}

/// Whether a value has all of a sum, by a concat. A combined reduction reads ranges alone.
bool FlowReader::hasSum(const std::string &name, const std::string &sum) const {
  const auto known = defined.find(name);
  if (known == defined.end())
    return false;
  return known->second.sum == sum || std::any_of(known->second.operands.begin(), known->second.operands.end(),
                                                 [&](const std::string &operand) { return hasSum(operand, sum); });
}

/// The name of a value along a term of a sum, whose statement is added.
std::string FlowReader::rangeOf(const std::string &name, const std::string &sum, size_t place) {
  if (!hasSum(name, sum))
    return name;
  Statement range = defined[name];
  if (range.sum == sum)
    return place < range.operands.size() ? range.operands[place] : name;
  const std::string own = nameOfRange(sum, place);
  range.target += own;
  range.range += own;
  if (defined.count(range.target))
    return range.target;
  for (std::string &operand : range.operands)
    operand = rangeOf(operand, sum, place);
  statements.push_back(range);
  return (defined[range.target] = range).target;
}

/// Writes reductions along sums as one for each range, and what combines them. Statements on which a value depends come
/// before it.
void FlowReader::combineRanges() {
  if (std::none_of(statements.begin(), statements.end(), [](const Statement &each) { return !each.sum.empty(); }))
    return;
  std::vector<Statement> given = std::move(statements);
  statements.clear();
  defined.clear();
  for (Statement &each : given) {
    // Positions are not combined.
    const std::string sum = each.operation.rfind("te.arg_", 0) == 0 ? "" : sumReducedBy(each);
    if (!sum.empty()) {
      const std::vector<std::string> axes = axesOf(each), terms = termsOf(sum);
      std::vector<std::string> parts;
      for (size_t place = 0; place < terms.size(); ++place) {
        Statement range = each;
        for (std::string &operand : range.operands)
          operand = rangeOf(operand, sum, place);
        std::vector<std::string> own;
        for (const std::string &axis : axes)
          if (namesIn(sum).count(axis) == 0 || namesIn(terms[place]).count(axis) > 0)
            own.push_back(axis);
        if (own.empty() && range.operands.size() == 1) {
          parts.push_back(range.operands.front());
          continue;
        }
        range.range += nameOfRange(sum, place);
        range.target += nameOfRange(sum, place);
        range.lists.reset();
        if (const size_t list = numberOf(std::move(own)); list < kMostCounted)
          range.lists.set(list);
        std::vector<Statement> written = {range};
        if (range.operation == "te.reduce_mean") {
          range.range += kOfCount;
          range.target += kOfCount;
          written.push_back(std::move(range));
        }
        for (Statement &one : written) {
          parts.push_back(one.target);
          statements.push_back(one);
          defined[one.target] = std::move(one);
        }
      }
      each.operands = std::move(parts);
      each.lists.reset();
    }
    defined[each.target] = each;
    statements.push_back(std::move(each));
  }
  for (const Statement &each : statements) {
    Needs own = each.direct;
    for (const std::string &operand : each.operands)
      if (auto known = values.find(operand); known != values.end())
        own |= known->second;
    own.again |= own.lists.any() && each.lists.any();
    own.lists |= each.lists;
    values[each.target] = own;
  }
}

/// Adds the needs of the returned values. A value that depends on different axes is computed from the others.
void FlowReader::endFunction() {
  findUnused();
  combineRanges();
  std::map<std::string, size_t> numbers, reductions;
  for (const Statement &each : statements)
    if (auto found = std::find(returned.begin(), returned.end(), each.target); found != returned.end()) {
      numbers.emplace(each.target, size_t(found - returned.begin()));
      reductions.emplace(reductionOf(each), size_t(found - returned.begin()));
    }
  for (const Statement &each : statements)
    if (auto found = reductions.find(reductionOf(each)); found != reductions.end() && !found->first.empty())
      numbers.emplace(each.target, found->second);
  isTooLarge |= returned.size() > kMostCounted;
  if (isTooLarge)
    return;
  std::map<std::string, Needs> apart; // of values, from the returned ones before them
  auto needsOf = [&](const std::string &name) {
    Needs own;
    if (auto number = numbers.find(name); number != numbers.end())
      own.results.set(number->second);
    else if (auto known = apart.find(name); known != apart.end())
      own = known->second;
    else if (auto argument = values.find(name); argument != values.end())
      own = argument->second;
    return own;
  };
  for (const Statement &each : statements) {
    Needs own = each.direct;
    for (const std::string &operand : each.operands)
      own |= needsOf(operand);
    own.again = (own.lists.any() && each.lists.any()) || own.again;
    own.lists |= each.lists;
    apart[each.target] = own;
  }
  results.resize(std::max(results.size(), returned.size()));
  for (size_t i = 0; i < returned.size(); ++i) {
    const Needs &whole = values[returned[i]];
    const auto own = apart.find(returned[i]);
    results[i] |= whole.lists.count() > 1 && own != apart.end() ? own->second : whole;
  }
  endSteps(numbers);
}

ContractBodyStep FlowReader::stepOf(const std::string &value, const Statement *of, const Needs &own) const {
  ContractBodyStep step;
  step.value = value;
  for (size_t list = 0; of && list < lists.size(); ++list)
    if (of->lists[list])
      step.axes = lists[list];
  for (unsigned i = 0; i < kMostCounted; ++i)
    if (own.arguments[i])
      step.arguments.push_back(i);
  for (unsigned i = 0; i < kMostCounted; ++i)
    if (own.results[i])
      step.arguments.push_back(kFirstReturned + i);
  for (unsigned i = 0; i < kMostCounted; ++i)
    if (own.shaped[i])
      step.arguments.push_back(kFirstShaped + i);
  for (unsigned i = 0; i < kMostCounted; ++i)
    if (own.counted[i])
      step.arguments.push_back(kFirstCounted + i);
  for (unsigned i = 0; i < kMostCounted; ++i)
    if (own.between[i])
      step.reductions.push_back(i);
  return step;
}

/// Lists the steps of a function. `numbers` has those of returned values, by the names of equal ones too.
void FlowReader::endSteps(const std::map<std::string, size_t> &numbers) {
  ContractBodyFlow flow;
  std::map<std::string, size_t> between, reductions; // by name, by text
  std::map<std::string, Needs> own;
  std::map<std::string, const Statement *> last;
  auto needsOf = [&](const std::string &name) {
    Needs needed;
    if (auto number = numbers.find(name); number != numbers.end())
      needed.results.set(number->second);
    else if (auto reduction = between.find(name); reduction != between.end())
      needed.between.set(reduction->second);
    else if (auto known = own.find(name); known != own.end())
      needed = known->second;
    else if (auto argument = values.find(name); argument != values.end())
      needed = argument->second;
    return needed;
  };
  for (const Statement &each : statements) {
    Needs needed = each.direct;
    for (const std::string &operand : each.operands)
      needed |= needsOf(operand);
    own[each.target] = needed;
    last[each.target] = &each;
    if (each.lists.none() || numbers.count(each.target))
      continue;
    const auto [number, isNew] = reductions.emplace(reductionOf(each), flow.reductions.size());
    isTooLarge |= number->second >= kMostCounted;
    if (isTooLarge)
      return;
    between[each.target] = number->second;
    if (isNew)
      flow.reductions.push_back(stepOf(each.target, &each, needed));
  }
  for (const std::string &name : returned) {
    const auto known = own.find(name);
    flow.returned.push_back(known != own.end() ? stepOf(name, last[name], known->second)
                                               : stepOf(name, nullptr, values[name]));
  }
  if (steps)
    differ |= steps->returned != flow.returned || steps->reductions != flow.reductions;
  else
    steps = std::move(flow);
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
    returned.push_back(std::move(name));
    return;
  }
  size_t next = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  if (next < text.size() && text[next] == '=') {
    const size_t behind = at - name.size() - 1;
    at = next + 1;
    beginStatement(std::move(name), Body, behind);
    isPlain &= values.count(target) == 0;
    statement.start = behind;
    return;
  }
  if (auto known = values.find(name); known != values.end()) {
    needs |= known->second;
    statement.operands.push_back(std::move(name));
  } else {
    isPlain = false;
  }
}

/// The text is after a '!'. An op that names a shape has the dimensions of that tensor.
void FlowReader::readAlias() {
  const std::string alias = takeName();
  if (part == Header) {
    (inResults ? resultAliases : aliases).push_back(alias);
    return;
  }
  if (part != Body || (statement.operation != "te.broadcast" && statement.operation != "te.iota"))
    return;
  // An attribute of the launch has no alias and follows the inputs.
  const auto argument = std::find(aliases.begin(), aliases.end(), alias);
  const auto result = std::find(resultAliases.begin(), resultAliases.end(), alias);
  const auto number = size_t(argument != aliases.end() ? argument - aliases.begin() : result - resultAliases.begin());
  isTooLarge |= number >= kMostCounted;
  if (!isTooLarge && (argument != aliases.end() || result != resultAliases.end()))
    for (Needs *each : {&needs, &statement.direct})
      (argument != aliases.end() ? each->arguments : each->shaped).set(number);
}

/// The text is after the word `along` of te.iota.
void FlowReader::readCounted() {
  skipBlanks();
  const std::string dim = takeName();
  auto found = std::find(counts.begin(), counts.end(), dim);
  const auto number = size_t(found - counts.begin());
  isTooLarge |= number >= kMostCounted;
  if (isTooLarge)
    return;
  if (found == counts.end())
    counts.push_back(dim);
  needs.counted.set(number);
  statement.direct.counted.set(number);
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
  // Operands come before the axes.
  needs.again |= needs.lists.any();
  addList(std::move(list));
}

/// The number of a list of axes; kMostCounted if there are too many.
size_t FlowReader::numberOf(std::vector<std::string> list) {
  auto found = std::find(lists.begin(), lists.end(), list);
  const auto number = size_t(found - lists.begin());
  isTooLarge |= number >= kMostCounted;
  if (found == lists.end() && !isTooLarge)
    lists.push_back(std::move(list));
  return std::min(number, kMostCounted);
}

/// Adds a list of axes, or what stands for one, to the statement.
void FlowReader::addList(std::vector<std::string> list) {
  const size_t number = numberOf(std::move(list));
  if (isTooLarge)
    return;
  needs.lists.set(number);
  statement.lists.set(number);
}

/// The text is after the word `along` of an op that has loops of its own. All gathers of a nest are in one kernel, and
/// so are all parts.
void FlowReader::readApart() {
  if (statement.operation == "te.scan") {
    skipBlanks();
    addList({kScans + takeName()});
  } else if (statement.operation == "te.gather") {
    addList({kGathers});
  } else if (statement.operation == "te.slice" || statement.operation == "te.stack") {
    addList({kTakesParts});
  } else if (statement.operation == "te.concat") {
    statement.sum = readSum();
  }
}

/// A sum, without its blanks: "A + 2*D".
std::string FlowReader::readSum() {
  std::string sum;
  for (bool isOpen = true; isOpen;) {
    skipBlanks();
    sum += takeName();
    const size_t next = std::min(text.find_first_not_of(" \t", at), text.size());
    isOpen = next < text.size() && (text[next] == '+' || text[next] == '*');
    if (isOpen)
      sum += text[next];
    at = isOpen ? next + 1 : at;
  }
  return sum;
}

void FlowReader::readWord() {
  const std::string word = takeName();
  if (word == "func.func" || word == "func") {
    beginStatement({}, Header, at);
    isPlain = true;
    values.clear();
    statements.clear();
    returned.clear();
    aliases.clear();
    resultAliases.clear();
    inResults = false;
    arguments = depth = 0;
  } else if (part == Body && (word == "return" || word == "func.return")) {
    beginStatement({}, Return, at - word.size());
  } else if (part == Header && word == "-") {
    inResults = true;
  } else if (part == Body && (word == "axes" || word == "along")) {
    statement.shapesLoops = true;
    if (word == "axes")
      readAxes();
    else if (statement.operation == "te.iota")
      readCounted();
    else
      readApart();
  } else if (part == Body && statement.operation.empty()) {
    statement.operation = word;
  }
}

ContractBodyFlow FlowReader::read() {
  while (at < text.size() && !isTooLarge) {
    const char c = text[at];
    if (c == '%') {
      ++at;
      readName();
    } else if (c == '!') {
      ++at;
      readAlias();
    } else if (c == '#' || c == '@') {
      ++at;
      takeName();
    } else if (isNameChar(c)) {
      readWord();
    } else {
      ++at;
      if (part == Header && (c == '(' || c == ')'))
        depth = c == '(' ? depth + 1 : depth - (depth > 0);
      if (part == Header && c == '{' && depth == 0)
        beginStatement({}, Body, at);
      else if (part != Header && c == '}')
        beginStatement({}, Outside, at - 1);
    }
  }
  beginStatement({}, Outside, at);
  if (isTooLarge)
    return {};
  ContractBodyFlow flow;
  if (steps && !differ)
    flow = std::move(*steps);
  std::vector<ContractBodyResult> &read = flow.results;
  read.resize(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    for (size_t list = 0; list < lists.size(); ++list)
      if (results[i].lists[list])
        read[i].axes.push_back(lists[list]);
    for (unsigned argument = 0; argument < kMostCounted; ++argument)
      if (results[i].arguments[argument])
        read[i].arguments.push_back(argument);
    for (unsigned result = 0; result < kMostCounted; ++result)
      if (results[i].results[result])
        read[i].arguments.push_back(kFirstReturned + result);
    for (unsigned shape = 0; shape < kMostCounted; ++shape)
      if (results[i].shaped[shape])
        read[i].arguments.push_back(kFirstShaped + shape);
    for (unsigned count = 0; count < kMostCounted; ++count)
      if (results[i].counted[count])
        read[i].arguments.push_back(kFirstCounted + count);
    read[i].reducesAgain = results[i].again;
  }
  return flow;
}

ContractBodyFlow readFlow(const std::string &text) {
  return FlowReader(text).read();
}

std::vector<UnusedStatement> unusedStatements(std::string text) {
  blankUnread(text);
  FlowReader reader(text);
  (void)reader.read();
  return reader.takeUnused();
}

void leaveOut(const std::vector<UnusedStatement> &unused, std::string &text) {
  for (const UnusedStatement &each : unused)
    for (size_t i = each.begin; each.shapesLoops && i < std::min(each.end, text.size()); ++i)
      if (text[i] != '\n' && text[i] != '\r')
        text[i] = ' ';
}

} // namespace opc
