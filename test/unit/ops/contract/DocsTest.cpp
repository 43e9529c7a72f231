// docs/reference/contract.md against the code: every rule with its label, code and text, and every key.

#include "ops/contract/Rules.h"
#include "ops/contract/write/Canonical.h"
#include "test/unit/Folders.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace opc;
using namespace opc::test;

static std::string page() {
  std::ifstream stream(sourceFolder() + "/docs/reference/contract.md");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Without it a rule could change and its page go on telling the old one.
TEST(Docs, RulesOfContracts) {
  std::string expected = "| rule | code | says |\n|---|---|---|\n";
  for (ContractRule rule : allContractRules()) {
    const CodeInfo &info = codeInfo(static_cast<Code>(rule));
    expected += "| `" + ruleLabel(rule) + "` | " + std::string(info.name) + " | " + std::string(info.title) + " |\n";
  }
  EXPECT_THAT(page(), testing::HasSubstr(expected + "\n"));
}

// Without it a key could be added that no page explains.
TEST(Docs, KeysOfContracts) {
  std::string text = page();
  std::istringstream lines(canonicalText(expectGood("schema: 1", "schema: 1")));
  for (std::string line; std::getline(lines, line);) {
    size_t begin = line.find_first_not_of(" -");
    size_t colon = line.find(':');
    if (begin == std::string::npos || colon == std::string::npos)
      continue;
    std::string key = line.substr(begin, colon - begin);
    // Under test_shapes the keys are the user's names.
    if (key == "x" || key == "scale")
      continue;
    EXPECT_THAT(text, testing::HasSubstr("`" + key + "`"));
  }
}
