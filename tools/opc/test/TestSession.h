// The Python half of `opc test` (opc_test.py), as C++ sees it: make inputs, check outputs.

#ifndef OPC_TOOLS_OPC_TEST_TESTSESSION_H
#define OPC_TOOLS_OPC_TEST_TESTSESSION_H

#include "ops/contract/Contract.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/tensor/Tensor.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/test/TestCases.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// Inputs and attributes of one case.
struct TestData {
  std::vector<Tensor> inputs;
  std::vector<NamedValue> attributes;
};

/// What a comparison found.
struct TestVerdict {
  int64_t compared = 0, skipped = 0, wrong = 0;
  /// Of the elements that count, those that are wrong among them; integers are one apart, and infinity stands for NaN
  /// where a number is expected.
  double worstUlp = 0;
  std::vector<std::string> first; ///< the first wrong elements, a line each
  bool passed() const { return wrong == 0 && first.empty(); }
};

/// What ONNX Runtime says of the reference.
struct SecondOpinion {
  std::string operatorName; ///< of ONNX; empty: the reference names none
  int64_t compared = 0, wrong = 0;
  std::string text;          ///< the first difference
  std::string missingModule; ///< what Python lacks; nothing was compared then
};

class TestSession {
public:
  /// Gets a line when Python takes its time; may be empty.
  std::function<void(const std::string &)> tell;

  /// Starts Python on the contract's reference. False with E0602 (cannot start) or E0701 (the reference is wrong).
  bool open(const std::string &python, const Contract &contract, Diagnostics &diagnostics);
  /// Goes on with a contract that differs in values of attributes alone.
  void use(const Contract &other) { contract = &other; }
  std::optional<TestData> make(const TestCase &testCase, unsigned typeRow, Diagnostics &diagnostics);
  /// Holds the reference to ONNX Runtime on the shapes of a case, in float32.
  std::optional<SecondOpinion> askOnnx(const TestCase &testCase, unsigned typeRow, Diagnostics &diagnostics);
  /// Compares outputs for the inputs last made. `ofChip`: by what the contract promises on the chip.
  std::optional<TestVerdict> check(const std::vector<Tensor> &outputs, bool ofChip, Diagnostics &diagnostics);

private:
  /// One request and its answer; bytes that follow the answer are the caller's to read. False with E0602 (no answer),
  /// E0527 (no memory) or E0701 (the reference is wrong).
  bool ask(const nlohmann::json &request, const std::vector<Tensor> *payload, nlohmann::json &answer,
           Diagnostics &diagnostics);
  nlohmann::json requestOf(const char *what, const TestCase &testCase, unsigned typeRow) const;

  const Contract *contract = nullptr;
  Conversation conversation;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTSESSION_H
