#include "test/unit/ops/contract/SampleContract.h"
#include "test/unit/Folders.h"

#include "ops/contract/Rules.h"
#include "ops/contract/read/Reader.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

namespace opc::test {

const std::string &sample() {
  static const std::string text = [] {
    std::ifstream stream(sourceFolder() + "/test/fuzz/seeds/every_key/op_contract.yaml");
    std::stringstream buffer;
    buffer << stream.rdbuf();
    return buffer.str();
  }();
  return text;
}

std::string edited(const std::string &from, const std::string &to) {
  std::string text = sample();
  size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << "the sample has no '" << from << "'";
  if (position != std::string::npos)
    text.replace(position, from.size(), to);
  return text;
}

std::optional<Contract> read(const std::string &text, Diagnostics &diagnostics) {
  return parseContract(text, "folder/op_contract.yaml", diagnostics);
}

static std::string printed(const Diagnostics &diagnostics) {
  std::ostringstream stream;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printText(stream, diagnostic);
  return stream.str();
}

void expectError(std::string text, const std::string &label, const std::string &message, const std::string &fix) {
  size_t mark = text.find('@');
  ASSERT_NE(mark, std::string::npos) << "mark the place of the error with '@'";
  text.erase(mark, 1);
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < mark; ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics).has_value());
  ASSERT_EQ(diagnostics.all().size(), 1u) << printed(diagnostics);
  const Diagnostic &error = diagnostics.all().front();
  EXPECT_EQ(error.rule, label) << printed(diagnostics);
  // Rule NN has code 02NN.
  std::string number = label.substr(label.find_last_of('c') + 1);
  EXPECT_EQ(codeInfo(error.code).name, "OPC-E02" + std::string(2 - number.size(), '0') + number);
  EXPECT_EQ(codeInfo(error.code).exit, ExitCode::Contract);
  EXPECT_EQ(error.location.file, "folder/op_contract.yaml");
  EXPECT_EQ(error.location.line, line) << printed(diagnostics);
  EXPECT_EQ(error.location.column, column) << printed(diagnostics);
  EXPECT_THAT(error.message, testing::HasSubstr(message));
  EXPECT_THAT(error.message, testing::StartsWith("expects "));
  // Without one of its own an error has that of its rule.
  EXPECT_EQ(error.fix, fix.empty() ? usualFix(static_cast<ContractRule>(error.code)) : fix);
}

void expectBroken(const std::string &from, const std::string &to, const std::string &label, const std::string &message,
                  const std::string &fix) {
  expectError(edited(from, to), label, message, fix);
}

Contract expectGood(const std::string &from, const std::string &to) {
  Diagnostics diagnostics;
  std::optional<Contract> contract = read(edited(from, to), diagnostics);
  EXPECT_TRUE(contract.has_value()) << printed(diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << printed(diagnostics);
  return contract.value_or(Contract());
}

} // namespace opc::test
