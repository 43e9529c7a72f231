// The C++ interface to the Python part of `opc test` (opc_test.py), which makes inputs and checks outputs.

#ifndef OPC_TOOLS_OPC_TEST_TESTSESSION_H
#define OPC_TOOLS_OPC_TEST_TESTSESSION_H

#include "ops/contract/Contract.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/tensor/Tensor.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/test/TestCases.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// Inputs and attributes of one case.
struct TestData {
  std::vector<Tensor> inputs;
  std::vector<NamedValue> attributes;
};

/// The result of a comparison.
struct TestVerdict {
  int64_t compared = 0, skipped = 0, wrong = 0;
  /// Largest error of the compared elements in ulp; for integers it is the difference, and it is infinity for a NaN
  /// where a number is expected.
  double worstUlp = 0;
  std::vector<std::string> first; ///< the first wrong elements, one line for each
  bool passed() const { return wrong == 0 && first.empty(); }
};

/// The comparison of the reference with ONNX Runtime.
struct SecondOpinion {
  std::string operatorName; ///< operator of ONNX; empty: the reference names none
  int64_t compared = 0, wrong = 0;
  std::string text;          ///< the first difference
  std::string missingModule; ///< a module that Python lacks, in which case nothing was compared
};

/// Settings of the reference of `opc test --source` beyond its formula.
struct SourceReference {
  struct Case {
    std::map<std::string, std::optional<Shape>> shapes; ///< of inputs; nullopt: omitted
    std::vector<NamedValue> attributes;
  };
  std::optional<std::vector<Case>> cases; ///< nullopt: opc makes them
  bool specials = true;                   ///< also cases with special values
};

class TestSession {
public:
  /// Callback with a line of text when Python takes long; may be empty.
  std::function<void(const std::string &)> tell;

  /// Starts Python and loads the contract's reference. Returns false after reporting E0602 (cannot start) or E0701
  /// (the reference is invalid).
  bool open(const std::string &python, const Contract &contract, Diagnostics &diagnostics);
  /// The same for a kernel by hand: `contract` has its tensors and the reference's path, the reference may have
  /// further settings.
  std::optional<SourceReference> openSource(const std::string &python, const Contract &contract,
                                            Diagnostics &diagnostics);
  /// The shapes of the reference's outputs for the last inputs, by name. Empty, with the reason in `refused`, if the
  /// reference refuses the inputs. Nullopt after reporting an error.
  std::optional<std::map<std::string, Shape>> expect(std::string &refused, Diagnostics &diagnostics);
  /// Continues with a contract that differs only in values of attributes.
  void use(const Contract &other) { contract = &other; }
  std::optional<TestData> make(const TestCase &testCase, unsigned typeRow, Diagnostics &diagnostics,
                               const MakeTensor &makeInput = Tensor::create);
  /// Compares the reference with ONNX Runtime on the shapes of a case, in float32.
  std::optional<SecondOpinion> askOnnx(const TestCase &testCase, unsigned typeRow, Diagnostics &diagnostics);
  /// Compares outputs for the inputs that were made last; with `ofChip` by the tolerances of the chip.
  std::optional<TestVerdict> check(const std::vector<Tensor> &outputs, bool ofChip, Diagnostics &diagnostics);

private:
  /// Sends a request and reads the answer; the caller reads bytes that follow the answer. Returns false after
  /// reporting E0602 (no answer), E0527 (no memory) or E0701 (the reference is invalid).
  bool ask(const nlohmann::json &request, const std::vector<Tensor> *payload, nlohmann::json &answer,
           Diagnostics &diagnostics);
  bool start(const std::string &python, bool isSource, nlohmann::json &answer, Diagnostics &diagnostics);
  nlohmann::json requestOf(const char *what, const TestCase &testCase, unsigned typeRow) const;

  const Contract *contract = nullptr;
  Conversation conversation;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTSESSION_H
