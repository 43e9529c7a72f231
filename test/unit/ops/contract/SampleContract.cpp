#include "test/unit/ops/contract/SampleContract.h"

#include "ops/contract/Reader.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <sstream>

namespace opc::test {

const char *const kSample = R"(schema: 1
op_type: RowScale
version: 1.2.3
summary: Scales rows and sums them
inputs:
  - name: x
    summary: Rows
    types:
      - float16
      - float32
    formats:
      - ND
      - NCHW
    shape:
      - ...B
      - N
  - name: scale
    types:
      - float16
      - float32
    shape:
      - ...B
      - N
    broadcast: numpy
  - name: bias
    types:
      - float32
      - float32
    shape:
      - 4
    required: false
outputs:
  - name: y
    types:
      - float16
      - float32
    shape:
      - ...B
      - M
  - name: total
    types:
      - float32
      - float32
    reduces:
      input: x
      axes: axes
      keep_dims: keep
attributes:
  - name: beta
    type: float
    bind: launch
    default: 0.5
    range:
      minimum: 0
      maximum: 8.5
  - name: axes
    type: list_int
    bind: compile
    default:
      - -1
    range:
      minimum: -8
      maximum: 7
  - name: keep
    type: bool
    bind: compile
    default: false
  - name: mode
    summary: How it is done
    type: string
    bind: compile
    default: fast
    choices:
      - fast
      - exact
dimensions:
  - name: N
    minimum: 1
    maximum: 65536
  - name: M
    equals:
      add:
        - mul:
            - N
            - 2
        - 1
  - name: ...B
    minimum: 0
    maximum: 100000
    minimum_rank: 0
    maximum_rank: 6
boundary:
  overflow: infinity
  saturation: none
  rounding: nearest_even
  empty: allowed
  nan: propagate
  infinity: reference
precision:
  compute: float32
  accumulate: float32
  tolerance:
    - type: float16
      max_ulp: 1
    - type: float32
      max_ulp: 4
      plus_ulp_of:
        - beta
        - x
      absolute: 1e-36
bodies:
  - level: te
    file: row_scale.mlir
  - level: aicore
    file: kernels/row_scale.aicore.mlir
reference: reference.py
schedule: row_scale.schedule
test_shapes:
  - x:
      - 2
      - 8
    scale:
      - 8
)";

std::string edited(const std::string &from, const std::string &to) {
  std::string text = kSample;
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
  EXPECT_EQ(error.fix, fix);
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
