// Reads facts of bodies at level te: the reduced axes, which are the lists after `axes`; the dimensions with parts,
// which are the names after `along`; the dimensions of te.iota, te.scan, te.sort and te.gather; and whether they
// multiply matrices. The importer checks the text; here it is only scanned for keywords, because a contract's loops
// depend on these dimensions (ops/contract/domain/Domain.h, Contraction.h).

#include "ops/contract/read/FileText.h"
#include "ops/contract/read/Parts.h"
#include "ops/contract/read/UnusedStatements.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Domain.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

namespace opc {

/// Longer bodies are refused by the importer.
static constexpr size_t kLongestBody = size_t(1) << 20;

static bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

/// The words of a list, without blanks.
static void splitList(std::string_view list, std::vector<std::string> &axes) {
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    std::string word;
    for (char c : list.substr(0, comma))
      if (!std::isspace(static_cast<unsigned char>(c)))
        word += c;
    if (!word.empty() && std::find(axes.begin(), axes.end(), word) == axes.end())
      axes.push_back(word);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// Calls `read` with the position after each occurrence of a word.
static void behindEach(const std::string &text, std::string_view word, const std::function<void(size_t)> &read) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    size_t next = at + word.size();
    if ((at > 0 && (isWordChar(text[at - 1]) || text[at - 1] == '#' || text[at - 1] == '%')) ||
        (next < text.size() && isWordChar(text[next])))
      continue;
    read(std::min(text.find_first_not_of(" \t\r\n", next), text.size()));
  }
}

static std::vector<std::string> partsOf(const std::string &text) {
  std::vector<std::string> parts;
  behindEach(text, "along", [&](size_t next) {
    // A dimension, or the sum of several: "A + 2*D". Blanks before or after an operator belong to it.
    std::string name;
    bool isOpen = true;
    for (size_t at = next; at < text.size(); ++at) {
      // "A[n]": a dimension with a count.
      if (const size_t end = text.find(']', at); text[at] == '[' && !name.empty() && end != std::string::npos) {
        name += text.substr(at, end + 1 - at);
        at = end;
        continue;
      }
      bool isOperator = text[at] == '+' || text[at] == '*', isBlank = text[at] == ' ' || text[at] == '\t';
      if (!isOperator && !isBlank && (!isWordChar(text[at]) || !isOpen))
        break;
      isOpen = isOperator || (isOpen && (!isBlank || name.empty() || name.back() == '+' || name.back() == '*'));
      if (!isBlank)
        name += text[at];
    }
    splitList(name, parts);
  });
  return parts;
}

/// Removes `along NAME` of each operation of this name from the text, since no parts are along these dimensions.
static std::vector<std::string> takeAlong(std::string &text, std::string_view operation) {
  std::vector<std::string> dims;
  std::vector<std::pair<size_t, size_t>> taken;
  behindEach(text, operation, [&](size_t next) {
    // After the operands, and before the next operation.
    const size_t other = std::min(text.find("te.", next), text.size());
    size_t along = std::min(text.find("along", next), text.size());
    while (along < other && (isWordChar(text[along - 1]) || text[along - 1] == '%' || text[along - 1] == '#' ||
                             (along + 5 < text.size() && isWordChar(text[along + 5]))))
      along = std::min(text.find("along", along + 1), text.size());
    if (along >= other)
      return;
    size_t begin = std::min(text.find_first_not_of(" \t\r\n", along + 5), text.size()), end = begin;
    while (end < text.size() && isWordChar(text[end]))
      ++end;
    // te.gather may name several.
    for (size_t comma = text.find_first_not_of(" \t\r\n", end); comma < text.size() && text[comma] == ',';
         comma = text.find_first_not_of(" \t\r\n", end)) {
      end = std::min(text.find_first_not_of(" \t\r\n", comma + 1), text.size());
      while (end < text.size() && isWordChar(text[end]))
        ++end;
    }
    splitList(std::string_view(text).substr(begin, end - begin), dims);
    taken.emplace_back(along, end);
  });
  for (auto [begin, end] : taken)
    std::fill(text.begin() + ptrdiff_t(begin), text.begin() + ptrdiff_t(end), ' ');
  return dims;
}

/// Removes `along NAME to NAME` of each te.sort from the text, and adds it to `scans`.
static void takeSorts(std::string &text, std::vector<std::string> &scans) {
  std::vector<std::pair<size_t, size_t>> taken;
  behindEach(text, "te.sort", [&](size_t next) {
    // "te.sort %x along N to K"
    auto wordAt = [&](size_t &at) {
      at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
      const size_t begin = at;
      while (at < text.size() && isWordChar(text[at]))
        ++at;
      return text.substr(begin, at - begin);
    };
    size_t at = next + (next < text.size() && text[next] == '%');
    (void)wordAt(at);
    const size_t begin = at;
    if (wordAt(at) != "along")
      return;
    const std::string from = wordAt(at);
    size_t end = at;
    if (wordAt(end) != "to") {
      // A word is missing, which the parser of bodies says; no part is along the dimension.
      taken.emplace_back(begin, at);
      return;
    }
    at = end;
    std::string sort = from + " to " + wordAt(at);
    if (std::find(scans.begin(), scans.end(), sort) == scans.end())
      scans.push_back(std::move(sort));
    taken.emplace_back(begin, at);
  });
  for (auto [begin, end] : taken)
    std::fill(text.begin() + ptrdiff_t(begin), text.begin() + ptrdiff_t(end), ' ');
}

static std::vector<std::string> axesOf(const std::string &text) {
  std::vector<std::string> axes;
  behindEach(text, "axes", [&](size_t next) {
    if (next < text.size() && text[next] == '[') {
      size_t end = std::min(text.find(']', next), text.size());
      splitList(std::string_view(text).substr(next + 1, end - next - 1), axes);
    } else if (next < text.size() && text[next] == '#') {
      size_t end = next + 1;
      while (end < text.size() && isWordChar(text[end]))
        ++end;
      splitList(std::string_view(text).substr(next, end - next), axes);
    }
  });
  return axes;
}

void readTeBody(ContractBody &body, std::string text) {
  leaveOut(unusedStatements(text), text);
  blankUnread(text);
  body.flow = readFlow(text);
  body.results = body.flow.results;
  body.counts = takeAlong(text, "te.iota");
  body.scans = takeAlong(text, "te.scan");
  body.gathers = takeAlong(text, "te.gather");
  takeSorts(text, body.scans);
  body.axes = axesOf(text);
  body.parts = body.writtenParts = partsOf(text);
  behindEach(text, "te.matmul", [&](size_t next) {
    body.multiplies = true;
    const size_t end = std::min(text.find(']', next), text.size() - 1);
    for (std::string &axis : axesOf(text.substr(next, end + 1 - next)))
      if (std::find(body.summed.begin(), body.summed.end(), axis) == body.summed.end())
        body.summed.push_back(std::move(axis));
  });
}

static std::string textOfFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return readUpTo(stream, kLongestBody);
}

/// The dimensions that axes name, each once, in order; texts that name none are kept. "-1" and "[N]" are one axis.
static std::vector<std::string> namedAxes(const Contract &contract, const std::vector<std::string> &axes) {
  std::string reason;
  const std::optional<Domain> domain = domainOf(contract, reason);
  std::set<std::string> names;
  for (const std::string &axis : axes) {
    bool isNamed = false;
    const std::vector<bool> dims = domain ? dimsOfAxes(contract, *domain, {axis}) : std::vector<bool>();
    for (size_t dim = 0; dim < dims.size(); ++dim)
      if (dims[dim]) {
        names.insert(printDim(domain->dims[dim]));
        isNamed = true;
      }
    if (!isNamed)
      names.insert(axis);
  }
  return {names.begin(), names.end()};
}

/// Replaces all axes of a text by the dimensions that they name.
static ContractBody withNamedAxes(const Contract &contract, ContractBody body) {
  body.axes = namedAxes(contract, body.axes);
  body.summed = namedAxes(contract, body.summed);
  for (ContractBodyResult &result : body.results)
    for (std::vector<std::string> &axes : result.axes)
      axes = namedAxes(contract, axes);
  for (auto *steps : {&body.flow.returned, &body.flow.reductions})
    for (ContractBodyStep &step : *steps)
      step.axes = namedAxes(contract, step.axes);
  return body;
}

/// Whether results of two texts reduce different axes. If one text has several lists of axes, so that results are
/// different nests, also whether they depend on different inputs.
/// The axes are named (withNamedAxes).
static bool reduceApart(const ContractBody &a, const ContractBody &b) {
  std::set<std::vector<std::string>> lists;
  auto axesOf = [&](const ContractBodyResult &result) {
    std::set<std::vector<std::string>> own;
    own.insert(result.axes.begin(), result.axes.end());
    lists.insert(own.begin(), own.end());
    return own;
  };
  auto isSame = [&](const ContractBodyResult &one, const ContractBodyResult &other) {
    return axesOf(one) == axesOf(other);
  };
  auto hasSameInputs = [](const ContractBodyResult &one, const ContractBodyResult &other) {
    return one.arguments == other.arguments;
  };
  if (!std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(), isSame))
    return true;
  return lists.size() > 1 &&
         !std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(), hasSameInputs);
}

/// Describes a difference of two texts in their dimensions; empty if there is none.
static std::string differenceOf(const ContractBody &a, const ContractBody &b) {
  auto differ = [](std::vector<std::string> one, std::vector<std::string> other) {
    std::sort(one.begin(), one.end());
    std::sort(other.begin(), other.end());
    return one != other;
  };
  return differ(a.axes, b.axes)         ? "reduces other axes"
         : differ(a.parts, b.parts)     ? "takes parts along other dimensions"
         : differ(a.counts, b.counts)   ? "counts along other dimensions"
         : differ(a.scans, b.scans)     ? "scans or sorts along other dimensions"
         : differ(a.gathers, b.gathers) ? "gathers along other dimensions"
         : a.multiplies != b.multiplies ? "has a matrix product in one of both"
         : differ(a.summed, b.summed)   ? "sums products over other axes"
         : reduceApart(a, b)            ? "reduces other axes for one of its results, or computes it from other inputs"
                                        : "";
}

void readBodyAxes(ContractErrors &errors, Contract &contract) {
  for (ContractBody &body : contract.bodies) {
    if (body.level != BodyLevel::Te)
      continue;
    readTeBody(body, textOfFile(contract.filePath(body.file)));
    for (const ContractBodyText &text : body.texts) {
      ContractBody other;
      readTeBody(other, textOfFile(contract.filePath(text.file)));
      for (size_t i = 0; i < std::min(body.results.size(), other.results.size()); ++i)
        body.results[i].reducesAgain |= other.results[i].reducesAgain;
      const ContractBody own = withNamedAxes(contract, body), others = withNamedAxes(contract, other);
      // Values in the workspace are found by their names.
      if (own.flow.returned != others.flow.returned || own.flow.reductions != others.flow.reductions)
        body.flow.returned = body.flow.reductions = {};
      if (std::string difference = differenceOf(own, others); !difference.empty())
        errors.report(ContractRule::BodyTypes, text.location,
                      "expects bodies of type rows with the loops of '" + body.file + "', found '" + text.file +
                          "', which " + difference,
                      "another operator for these type rows");
    }
  }
}

} // namespace opc
