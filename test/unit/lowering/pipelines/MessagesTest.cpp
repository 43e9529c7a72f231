// What the compiler reports to authors of te bodies: a corpus of wrong bodies and contracts (test/messages/*.txt),
// each compiled in this process. Every message has to stand at the author's place, with the code and the label that
// the corpus says, in words of contract and te alone.
//
// A case is a right operator, edits, and what has to be told:
//
//   = rows: a reduction of an axis that is not there
//   body: axes [1] keep => axes [4] keep
//   > te_rows.mlir:10:11 OPC-E0302 [axes_c2] | axes count
//
// Edits replace the first occurrence, or the whole file where nothing stands before the arrow; \n, \t, \r, \0, \xHH
// and \{N*text} stand for what a line cannot hold. Errors are listed in the order in which they are reported; after the
// bar stands a part of the fix, or '-' where none is known. A line 'page: WORD' says which line of
// docs/reference/scope.md the case holds.

#include "lowering/pipelines/Compile.h"
#include "ops/contract/read/Reader.h"
#include "test/unit/ContractFolder.h"
#include "test/unit/Folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace opc;
namespace fs = std::filesystem;

namespace {

struct Edit {
  bool ofContract = false;
  std::string before, after; ///< an empty `before` is the whole file
};

struct Case {
  std::string place; ///< in the corpus
  std::string base, title, page;
  std::vector<Edit> edits;
  std::vector<std::string> expected;
};

/// Files of an operator.
struct Operator {
  std::string contract, bodyName, body;
};

} // namespace

static std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The escapes of an edit.
static std::string unescape(const std::string &text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    char kind = text[++i];
    static const std::map<char, char> plain = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', '\0'}, {'\\', '\\'}};
    if (auto found = plain.find(kind); found != plain.end()) {
      result += found->second;
    } else if (kind == 'x') {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else if (kind == '{') {
      size_t star = text.find('*', i), end = text.find('}', i);
      std::string part = unescape(text.substr(star + 1, end - star - 1));
      for (int count = std::stoi(text.substr(i + 1)); count > 0; --count)
        result += part;
      i = end;
    } else {
      ADD_FAILURE() << "an escape that is none: " << text;
    }
  }
  return result;
}

static std::vector<Case> readCases(const fs::path &path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#')
      continue;
    size_t colon = line.find(':');
    auto rest = [&](size_t from) { return from < line.size() ? line.substr(from) : std::string(); };
    if (line[0] == '=') {
      cases.emplace_back();
      cases.back().place = path.filename().string() + ":" + std::to_string(number);
      cases.back().base = line.substr(2, colon - 2);
      cases.back().title = rest(colon + 2);
    } else if (line[0] == '>') {
      cases.back().expected.push_back(rest(2));
    } else if (line.rfind("page:", 0) == 0) {
      cases.back().page = rest(6);
    } else {
      size_t arrow = line.find("=>");
      bool ofContract = line.rfind("contract:", 0) == 0;
      if (arrow == std::string::npos || (!ofContract && line.rfind("body:", 0) != 0)) {
        ADD_FAILURE() << path << ":" << number << ": no line of a case: " << line;
        continue;
      }
      std::string before = line.substr(colon + 1, arrow - colon - 1);
      if (!before.empty())
        before.erase(0, 1);
      if (!before.empty())
        before.pop_back();
      cases.back().edits.push_back({ofContract, unescape(before), unescape(rest(arrow + 3))});
    }
  }
  return cases;
}

static fs::path corpus() {
  return fs::path(test::sourceFolder()) / "test" / "messages";
}

static std::vector<Case> allCases() {
  std::vector<fs::path> files;
  for (const auto &entry : fs::directory_iterator(corpus()))
    if (entry.path().extension() == ".txt")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const fs::path &file : files)
    for (Case &one : readCases(file))
      cases.push_back(std::move(one));
  return cases;
}

/// A right operator, of this corpus (test/messages/Inputs) or of the fuzzers' seeds.
static Operator readBase(const std::string &name) {
  fs::path folder = corpus() / "Inputs" / name;
  if (!fs::exists(folder))
    folder = fs::path(test::sourceFolder()) / "test" / "fuzz" / "seeds" / name;
  Operator op;
  op.contract = readFile(folder / "op_contract.yaml");
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".mlir") {
      op.bodyName = entry.path().filename().string();
      op.body = readFile(entry.path());
    }
  return op;
}

static Operator edited(const Case &one) {
  Operator op = readBase(one.base);
  for (const Edit &edit : one.edits) {
    std::string &text = edit.ofContract ? op.contract : op.body;
    size_t at = edit.before.empty() ? 0 : text.find(edit.before);
    if (at == std::string::npos) {
      ADD_FAILURE() << one.place << ": '" << edit.before << "' is not in the base";
      continue;
    }
    text.replace(at, edit.before.empty() ? text.size() : edit.before.size(), edit.after);
  }
  return op;
}

/// What `opc compile` does with a contract, in memory.
static Diagnostics compile(const test::ContractFolder &folder, const Operator &op, const std::string &stopAfter = {}) {
  folder.write("op_contract.yaml", op.contract);
  folder.write(op.bodyName, op.body);
  folder.write("reference.py", "");
  Diagnostics diagnostics;
  std::optional<Contract> contract = loadContract((folder.path() / "op_contract.yaml").string(), diagnostics);
  if (!contract)
    return diagnostics;
  CompileOptions options;
  options.target = findTarget("Ascend310B1");
  options.stopAfter = stopAfter;
  CompileResult result = compileOperator(*contract, options, diagnostics);
  EXPECT_TRUE(result.files.empty() || !diagnostics.hasErrors()) << "an error, and files";
  return diagnostics;
}

static std::string fileName(const std::string &path) {
  return fs::path(path).filename().string();
}

/// "te_rows.mlir:10:11 OPC-E0302 [axes_c2]"
static std::string headOf(const Diagnostic &diagnostic) {
  std::ostringstream os;
  const Location &at = diagnostic.location;
  os << fileName(at.file) << ':' << at.line << ':' << at.column << ' ' << codeInfo(diagnostic.code).name;
  if (!diagnostic.rule.empty())
    os << " [" << diagnostic.rule << ']';
  return os.str();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Words of the compiler's own, and of the library that parses bodies, which no page for authors has.
static const std::regex &internalWords() {
  static const std::regex words("linalg|bufferization|memref|tensor<|\\barith\\b|\\bscf\\b|\\baicore\\b|\\bllvm\\b|"
                                "\\bSSA\\b|\\bfunc\\.(?!func)\\w+|'func.func' "
                                "op|\\bbuiltin\\b|\\bmath\\.\\w+|\\bregion\\b|terminator|"
                                "custom op|\\bindex type|attribute dictionary|\\bloops? [0-9]|place_|'v[a-z_]+' of");
  return words;
}

/// Words of a message that the author neither wrote nor can know.
static std::string foreignWord(const std::string &message, const std::string &written) {
  for (std::sregex_iterator at(message.begin(), message.end(), internalWords()), end; at != end; ++at)
    if (written.find(at->str()) == std::string::npos)
      return at->str();
  static const std::regex value("%[A-Za-z0-9_$.]+");
  for (std::sregex_iterator at(message.begin(), message.end(), value), end; at != end; ++at)
    if (written.find(at->str()) == std::string::npos)
      return at->str();
  return {};
}

static std::string wrongWords(const Diagnostic &diagnostic, const Operator &op) {
  const std::string written = op.contract + op.body;
  // A message may show the aliases and parameters that the contract stands for, and a fix an example of what
  // could be written.
  std::string names = written;
  for (const char *common : {"%x", "%y", "%c", "%r"})
    names += common;
  // A level that contracts may name.
  if (diagnostic.message.find("'level'") != std::string::npos)
    names += "aicore";
  static const std::regex name("name: *(\\w+)");
  for (std::sregex_iterator at(written.begin(), written.end(), name), end; at != end; ++at)
    names += "%" + (*at)[1].str();
  std::string wrong = foreignWord(diagnostic.message, written + names);
  if (wrong.empty())
    wrong = foreignWord(diagnostic.fix, names);
  for (const Note &note : diagnostic.notes)
    if (wrong.empty())
      wrong = foreignWord(note.message, names);
  return wrong;
}

static std::string told(const Diagnostics &diagnostics) {
  std::ostringstream os;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printText(os, diagnostic);
  return os.str();
}

//===----------------------------------------------------------------------===//
// The corpus
//===----------------------------------------------------------------------===//

/// The lines that the corpus has to have for what was told.
static std::string linesFor(const Diagnostics &diagnostics) {
  std::string lines;
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      lines += "> " + headOf(diagnostic) + " | " + (diagnostic.fix.empty() ? "-" : diagnostic.fix.substr(0, 60)) + "\n";
  return lines;
}

static bool isExpected(const Diagnostic &diagnostic, const std::string &expected) {
  size_t bar = expected.find(" | ");
  if (bar == std::string::npos || expected.substr(0, bar) != headOf(diagnostic))
    return false;
  std::string fix = expected.substr(bar + 3);
  return fix == "-" ? diagnostic.fix.empty() : diagnostic.fix.find(fix) != std::string::npos;
}

static bool isAsExpected(const Diagnostics &diagnostics, const Case &one) {
  std::vector<const Diagnostic *> errors;
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      errors.push_back(&diagnostic);
  if (errors.size() != one.expected.size() || errors.empty())
    return false;
  for (size_t i = 0; i < errors.size(); ++i)
    if (!isExpected(*errors[i], one.expected[i]))
      return false;
  return true;
}

// Without it: a message names IR of ours, moves to another line, loses its code or its fix, or a mistake compiles.
TEST(Messages, AreInTheAuthorsWords) {
  test::ContractFolder folder;
  for (const Case &one : allCases()) {
    Operator op = edited(one);
    Diagnostics diagnostics = compile(folder, op);
    EXPECT_TRUE(isAsExpected(diagnostics, one)) << one.place << ": " << one.title << "\n@@ " << one.place << "\n"
                                                << linesFor(diagnostics) << "@@\n"
                                                << told(diagnostics);
    EXPECT_NE(int(diagnostics.exitCode()), 0) << one.place;
    for (const Diagnostic &diagnostic : diagnostics.all()) {
      EXPECT_EQ(wrongWords(diagnostic, op), "") << one.place << ": " << one.title << "\n" << told(diagnostics);
      // Names of a hostile body are cut, lists end.
      EXPECT_LT(diagnostic.message.size() + diagnostic.fix.size(), 4000u) << one.place;
      EXPECT_NE(diagnostic.location.line, 0u) << one.place << "\n" << told(diagnostics);
      EXPECT_NE(diagnostic.location.column, 0u) << one.place << "\n" << told(diagnostics);
    }
  }
}

/// "| layout | transpose | refused: OPC-E0301 | ... |" of the page: class and code.
static std::map<std::string, std::string> refusedOnThePage() {
  std::map<std::string, std::string> refused;
  std::ifstream page(fs::path(test::sourceFolder()) / "docs" / "reference" / "scope.md");
  EXPECT_TRUE(page);
  static const std::regex row(R"(\| ([^|]+) \|.*\| refused: (OPC-E[0-9]{4}) \|.*)");
  std::string line;
  while (std::getline(page, line))
    if (std::smatch match; std::regex_match(line, match, row))
      refused[match[1]] = match[2];
    else
      EXPECT_TRUE(line.find("| refused") == std::string::npos) << "a row without class and code: " << line;
  return refused;
}

// Without it the page of what opc does not do could promise less, or more, than is so.
TEST(Messages, ThePageOfWhatIsLeftOutIsTrue) {
  std::map<std::string, std::string> refused = refusedOnThePage();
  EXPECT_GE(refused.size(), 20u);
  std::set<std::string> shown;
  for (const Case &one : allCases()) {
    if (one.page.empty())
      continue;
    shown.insert(one.page);
    ASSERT_FALSE(one.expected.empty()) << one.place;
    EXPECT_TRUE(refused.count(one.page)) << one.place << ": the page has no row '" << one.page << "'";
    EXPECT_NE(one.expected.front().find(refused[one.page]), std::string::npos)
        << one.place << ": the page says " << refused[one.page];
  }
  for (const auto &[kind, code] : refused)
    EXPECT_TRUE(shown.count(kind)) << "no case shows that '" << kind << "' is refused";
}

// A fix that names a row that does not exist is useless.
TEST(Messages, FixesNameRowsOfThePage) {
  std::map<std::string, std::string> refused = refusedOnThePage();
  static const std::regex under("scope\\.md has, under '([^']+)'");
  for (const Case &one : allCases())
    for (const std::string &line : one.expected)
      if (std::smatch match; std::regex_search(line, match, under))
        EXPECT_TRUE(refused.count(match[1])) << one.place << ": " << match[1];
}

// A case of a base that is wrong itself would show nothing.
TEST(Messages, BasesAreRight) {
  test::ContractFolder folder;
  std::set<std::string> bases;
  for (const Case &one : allCases())
    bases.insert(one.base);
  EXPECT_GE(bases.size(), 4u);
  for (const std::string &base : bases) {
    Diagnostics diagnostics = compile(folder, readBase(base), "fused");
    EXPECT_TRUE(diagnostics.all().empty()) << base << "\n" << told(diagnostics);
  }
}

// The words that are looked for would be found.
TEST(Messages, ForeignWordsAreFound) {
  const std::string body = "%y = te.add %x, %beta";
  for (const char *message : {"'linalg.generic' op expects", "found 'tensor<?x?xf16>'", "'arith.cmpi' is not",
                              "use of undeclared SSA value name", "value %0", "'func.return' op",
                              "body at level aicore", "runs over loop 1", "it has no 'vcast' of i32 to i16"})
    EXPECT_NE(foreignWord(message, body), "") << message;
  EXPECT_EQ(foreignWord("expects a value that is defined above, found '%beta'", body), "");
  EXPECT_EQ(foreignWord("there is no operation 'linalg.rsqrt'", "%y = linalg.rsqrt %x"), "");
}
