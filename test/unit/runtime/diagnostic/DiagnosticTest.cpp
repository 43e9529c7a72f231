// How diagnostics are collected and printed.

#include "runtime/diagnostic/Diagnostic.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace opc;

static std::string text(const Diagnostic &diagnostic) {
  std::ostringstream os;
  printText(os, diagnostic);
  return os.str();
}

static nlohmann::json json(const Diagnostic &diagnostic) {
  std::ostringstream os;
  printJson(os, diagnostic);
  EXPECT_EQ(os.str().find('\n'), os.str().size() - 1) << "one record is one line";
  return nlohmann::json::parse(os.str());
}

static Diagnostic sample() {
  Diagnostic diagnostic;
  diagnostic.code = Code::E0100;
  diagnostic.location = {"a.yaml", 7, 3};
  diagnostic.rule = "contract_c4";
  diagnostic.message = "expects one type a row, found 2";
  diagnostic.fix = "delete one";
  diagnostic.notes.push_back({{"a.yaml", 3, 0}, "'x1' has 3"});
  return diagnostic;
}

// Editors and people find the place by file:line:col, scripts the code and the label.
TEST(Diagnostic, TextHasPlaceCodeRuleNoteAndFix) {
  EXPECT_EQ(text(sample()), "a.yaml:7:3: error: OPC-E0100 [contract_c4]: expects one type a row, found 2\n"
                            "  a.yaml:3: note: 'x1' has 3\n"
                            "  fix: delete one\n");
}

// What is unknown is left out rather than printed as 0.
TEST(Diagnostic, TextLeavesOutWhatIsUnknown) {
  Diagnostic diagnostic;
  diagnostic.code = Code::E0100;
  diagnostic.message = "no place";
  EXPECT_EQ(text(diagnostic), "error: OPC-E0100: no place\n");
  diagnostic.severity = Severity::Warning;
  diagnostic.location.file = "a.yaml";
  EXPECT_EQ(text(diagnostic), "a.yaml: warning: OPC-E0100: no place\n");
}

// A remark tells a decision and breaks no rule: a code would send people to the wrong explanation.
TEST(Diagnostic, RemarkHasNoCode) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Remark;
  diagnostic.message = "uses 2 slots";
  EXPECT_EQ(text(diagnostic), "remark: uses 2 slots\n");
  EXPECT_TRUE(json(diagnostic)["code"].is_null());
}

// A file name or a quoted key must not move the cursor or forge another line of the terminal.
TEST(Diagnostic, TextEscapesControlCharacters) {
  Diagnostic diagnostic;
  diagnostic.code = Code::E0100;
  diagnostic.location.file = "a\x1b[2J\n.yaml";
  diagnostic.message = "found 'x\x07'\nsecond line";
  EXPECT_EQ(text(diagnostic), "a\\x1b[2J\\n.yaml: error: OPC-E0100: found 'x\\x07'\n  second line\n");
}

// Scripts read the same facts from the record.
TEST(Diagnostic, JsonHasEveryField) {
  nlohmann::json record = json(sample());
  EXPECT_EQ(record["schema_version"], 1);
  EXPECT_EQ(record["severity"], "error");
  EXPECT_EQ(record["code"], "OPC-E0100");
  EXPECT_EQ(record["file"], "a.yaml");
  EXPECT_EQ(record["line"], 7);
  EXPECT_EQ(record["column"], 3);
  EXPECT_EQ(record["rule"], "contract_c4");
  EXPECT_EQ(record["message"], "expects one type a row, found 2");
  EXPECT_EQ(record["fix"], "delete one");
  ASSERT_EQ(record["notes"].size(), 1u);
  EXPECT_EQ(record["notes"][0]["message"], "'x1' has 3");
  EXPECT_EQ(record["notes"][0]["line"], 3);
}

// The JSON library throws on bytes that are no UTF-8; a hostile file must not end the process that way.
TEST(Diagnostic, JsonTakesAnyBytes) {
  Diagnostic diagnostic;
  diagnostic.code = Code::E0100;
  diagnostic.message = std::string("\xff\xfe\0\x80 end", 8);
  EXPECT_NE(json(diagnostic)["message"].get<std::string>().find("end"), std::string::npos);
}

// What breaks without it: an error of another process loses a part on its way.
TEST(Diagnostic, JsonIsReadAsItWasWritten) {
  Diagnostic remark;
  remark.severity = Severity::Remark;
  remark.message = "uses 2 slots\nand \"more\"";
  for (const Diagnostic &written : {sample(), remark}) {
    std::ostringstream first, second;
    printJson(first, written);
    Diagnostic read;
    ASSERT_TRUE(readJson(first.str(), read)) << first.str();
    printJson(second, read);
    EXPECT_EQ(first.str(), second.str());
  }
}

// Each field is there and has its type, or the text is none of ours.
TEST(Diagnostic, OtherTextIsNotRead) {
  std::ostringstream os;
  printJson(os, sample());
  const nlohmann::json good = nlohmann::json::parse(os.str());
  Diagnostic read;
  ASSERT_TRUE(readJson(good.dump(), read));
  for (const auto &[key, value] : good.items()) {
    nlohmann::json missing = good, wrong = good;
    missing.erase(key);
    wrong[key] = nlohmann::json::object({{"a", 1}});
    EXPECT_FALSE(readJson(missing.dump(), read)) << key;
    EXPECT_FALSE(readJson(wrong.dump(), read)) << key;
  }
  nlohmann::json note = good, code = good, severity = good;
  note["notes"][0].erase("message");
  code["code"] = "OPC-E9999";
  severity["severity"] = "grave";
  for (const std::string &text : {note.dump(), code.dump(), severity.dump(), std::string("[1]"), std::string("{"),
                                  std::string(), std::string("\xff")})
    EXPECT_FALSE(readJson(text, read)) << text;
}

// The process ends with the first error's status; warnings and remarks leave it done.
TEST(Diagnostics, ExitCodeIsTheFirstErrors) {
  Diagnostics diagnostics;
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Done);
  diagnostics.warning(Code::E0600, {}, "a warning");
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Done);
  diagnostics.error(Code::E0100, {}, "first").notes.push_back({{}, "noted"});
  diagnostics.error(Code::E0600, {}, "second");
  EXPECT_EQ(diagnostics.errorCount(), 2u);
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Usage);
  EXPECT_EQ(diagnostics.all()[1].notes.size(), 1u);
}
