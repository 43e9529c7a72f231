// Which nodes a contract computes: operators, opsets, operands, attributes, types and shapes of a form, one difference
// at a time.

#include "ops/onnx/coverage/Coverage.h"
#include "ops/contract/read/Reader.h"
#include "ops/onnx/Reader.h"
#include "ops/onnx/coverage/Operators.h"
#include "test/unit/ops/onnx/ModelBytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;
using Writer = protozero::pbf_writer;

static const char *const kHead = R"(schema: 1
op_type: Scaled
version: 1.0.0
summary: A test
inputs:
  - name: x
    types: [float16, float32]
    shape: [...S, N]
  - name: w
    types: [float16, float32]
    shape: [N]
outputs:
  - name: y
    types: [float16, float32]
    shape: [...S, N]
attributes:
  - name: factor
    type: float
    bind: launch
    default: 1.0
    range: {minimum: 0, maximum: 10}
precision:
  tolerance:
    - type: float16
      max_ulp: 1
    - type: float32
      max_ulp: 1
bodies:
  - level: te
    file: scaled.mlir
reference: reference.py
onnx:
  - operator: Scaled
    domain: com.example
    since: 2
    until: 5
)";

static const char *const kAttributes = R"(    attributes:
      - name: factor
        attribute: factor
        default: 1.0
      - name: axis
        axis: -1
        default: -1
      - name: mode
        value: plain
        default: plain
      - name: note
        ignored: true
)";

static Contract contractOf(const std::string &form) {
  Diagnostics diagnostics;
  std::optional<Contract> contract = parseContract(kHead + form, "scaled.yaml", diagnostics);
  EXPECT_TRUE(contract) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return contract ? *contract : Contract();
}

static std::string typed(const std::string &name, int32_t type, const std::vector<std::string> &shape) {
  return message([&](Writer &writer) {
    writer.add_string(1, name);
    writer.add_message(2, message([&](Writer &outer) {
                         outer.add_message(1, message([&](Writer &tensorType) {
                                             tensorType.add_enum(1, type);
                                             tensorType.add_message(2, message([&](Writer &dims) {
                                                                      for (const std::string &dim : shape)
                                                                        dims.add_message(
                                                                            1, message([&](Writer &one) {
                                                                              if (dim[0] >= '0' && dim[0] <= '9')
                                                                                one.add_int64(1, std::stoll(dim));
                                                                              else
                                                                                one.add_string(2, dim);
                                                                            }));
                                                                    }));
                                           }));
                       }));
  });
}

struct Case {
  std::vector<std::string> inputs = {"x", "w"}, outputs = {"y"};
  std::string attribute;
  int64_t opset = 3;
  int32_t type = 1;
  std::vector<std::string> x = {"2", "8"}, w = {"8"};
};

/// The coverage of a model with one node of com.example.Scaled.
static onnx::NodeCoverage cover(const Contract &contract, const Case &each) {
  std::string bytes = message([&](Writer &writer) {
    writer.add_int64(1, 10);
    writer.add_message(8, opset("", 21));
    writer.add_message(8, opset("com.example", each.opset));
    writer.add_message(7, message([&](Writer &graph) {
                         graph.add_message(1, node("Scaled", each.inputs, each.outputs, each.attribute, "com.example"));
                         graph.add_message(11, typed("x", each.type, each.x));
                         graph.add_message(11, typed("w", each.type, each.w));
                         graph.add_message(12, value("y"));
                       }));
  });
  static std::vector<std::unique_ptr<onnx::Model>> kept; // coverage refers to its model
  static std::vector<std::string> texts;
  texts.reserve(1000);
  texts.push_back(bytes);
  Diagnostics diagnostics;
  kept.push_back(onnx::readModel(texts.back(), "m.onnx", diagnostics));
  EXPECT_TRUE(kept.back());
  onnx::FormIndex forms;
  forms.add(contract, true);
  return coverModel(*kept.back(), forms).nodes.at(0);
}

static std::string attributeOf(const std::string &name, const std::function<void(Writer &)> &fill) {
  return message([&](Writer &writer) {
    writer.add_string(1, name);
    fill(writer);
  });
}
static std::string ofInt(const std::string &name, int64_t number) {
  return attributeOf(name, [&](Writer &writer) { writer.add_int64(3, number); });
}
static std::string ofFloat(const std::string &name, float number) {
  return attributeOf(name, [&](Writer &writer) { writer.add_float(2, number); });
}
static std::string ofText(const std::string &name, const std::string &text) {
  return attributeOf(name, [&](Writer &writer) { writer.add_bytes(4, text); });
}

static void expectMissing(const Contract &contract, const Case &each, const std::string &reason) {
  onnx::NodeCoverage node = cover(contract, each);
  EXPECT_EQ(node.kind, onnx::NodeCoverage::Missing) << reason;
  EXPECT_THAT(node.reason, HasSubstr(reason));
}

// Everything fits: the result's type and shape follow from the contract.
TEST(OnnxCoverage, Matches) {
  Contract contract = contractOf(kAttributes);
  onnx::NodeCoverage node = cover(contract, {});
  EXPECT_EQ(node.kind, onnx::NodeCoverage::User);
  EXPECT_TRUE(node.isCertain);
  EXPECT_EQ(factText(node.results[0]), "float32[2, 8]");
  Case symbols;
  symbols.x = {"batch", "8"};
  EXPECT_EQ(factText(cover(contract, symbols).results[0]), "float32[batch, 8]");
  // Two symbols may be equal at a launch.
  symbols.x = {"2", "columns"};
  EXPECT_EQ(cover(contract, symbols).kind, onnx::NodeCoverage::User);
  EXPECT_FALSE(cover(contract, symbols).isCertain);
  for (const std::string &attribute :
       {ofInt("axis", 1), ofInt("axis", -1), ofText("mode", "plain"), ofInt("note", 7), ofFloat("factor", 10)}) {
    Case with;
    with.attribute = attribute;
    EXPECT_EQ(cover(contract, with).kind, onnx::NodeCoverage::User) << cover(contract, with).reason;
  }
}

TEST(OnnxCoverage, Differences) {
  Contract contract = contractOf(kAttributes);
  expectMissing(contract, {{"x", "w"}, {"y"}, {}, 1},
                "'Scaled': the contract's form holds for opsets 2 to 5, the model has 1");
  expectMissing(contract, {{"x", "w"}, {"y"}, {}, 6}, "the model has 6");
  expectMissing(contract, {{"x"}, {"y"}, {}}, "operand 2, 'w' of the contract, is left out");
  expectMissing(contract, {{"x", "w", "w"}, {"y"}, {}}, "the node has 3 operands, the contract 2");
  expectMissing(contract, {{"x", "w"}, {"y", "z"}, {}}, "the node has 2 results, the contract 1");
  auto with = [&](const std::string &attribute, const std::string &reason) {
    Case each;
    each.attribute = attribute;
    expectMissing(contract, each, reason);
  };
  with(ofInt("other", 1), "the contract has no place for attribute 'other'");
  with(ofInt("axis", 0), "attribute 'axis' is 0, the contract has axis -1");
  with(ofInt("axis", -2), "attribute 'axis' is -2, the contract has axis -1");
  with(ofText("axis", "last"), "attribute 'axis' is 'last', the contract has one axis");
  with(ofText("mode", "fancy"), "attribute 'mode' is 'fancy', the contract has 'plain'");
  with(ofInt("factor", 1), "attribute 'factor' is 1, which 'factor' of the contract does not take");
  with(ofFloat("factor", 11), "attribute 'factor' is 11.0, which 'factor' of the contract does not take");
  Case each;
  each.type = 11;
  expectMissing(contract, each, "the contract has no row of types for float64, float64");
  each = {};
  each.w = {"8", "1"};
  expectMissing(contract, each, "operand 2 has rank 2, 'w' of the contract has [N]");
  each = {};
  each.w = {"7"};
  expectMissing(contract, each, "'Scaled': ");
}

// Without it: a node without the operand is computed by the kernel that reads it, or by none.
TEST(OnnxCoverage, OperandsDecideAboutInputs) {
  std::string text = std::string(kHead) + kAttributes;
  const std::string of = "    shape: [N]\n", attributes = "attributes:\n";
  text.insert(text.find(of) + of.size(), "    present: has_w\n    absent: 1.0\n");
  text.insert(text.find(attributes) + attributes.size(),
              "  - {name: has_w, type: bool, bind: compile, default: true}\n");
  Diagnostics diagnostics;
  std::optional<Contract> contract = parseContract(text, "scaled.yaml", diagnostics);
  ASSERT_TRUE(contract) << diagnostics.all().front().message;
  for (const Case &each : {Case{{"x", "w"}, {"y"}, {}}, Case{{"x"}, {"y"}, {}}, Case{{"x", ""}, {"y"}, {}}}) {
    onnx::NodeCoverage node = cover(*contract, each);
    EXPECT_EQ(node.kind, onnx::NodeCoverage::User) << node.reason;
    EXPECT_TRUE(node.isCertain);
    EXPECT_EQ(factText(node.results[0]), "float32[2, 8]");
  }
  Case wrong;
  wrong.w = {"7"};
  expectMissing(*contract, wrong, "'Scaled': ");
  expectMissing(*contract, {{"", "w"}, {"y"}, {}}, "operand 1, 'x' of the contract, is left out");
}

// Without it: a Cast of the user's that rounds to the nearest computes what ONNX cuts, or is refused for its types.
TEST(OnnxCoverage, CastsCut) {
  auto reasonOf = [](const char *rounding) {
    const std::string text = std::string(R"(schema: 1
op_type: Nearest
version: 1.0.0
summary: A test
inputs:
  - name: x
    types: [float32]
    shape: [...S]
outputs:
  - name: y
    types: [int32]
    shape: [...S]
boundary:
  rounding: )") + rounding + R"(
precision:
  tolerance:
    - type: int32
      max_ulp: 0
bodies:
  - level: te
    file: nearest.mlir
reference: reference.py
onnx:
  - operator: Cast
    since: 9
    attributes:
      - name: to
        type: y
)";
    Diagnostics diagnostics;
    std::optional<Contract> contract = parseContract(text, "nearest.yaml", diagnostics);
    EXPECT_TRUE(contract) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
    const std::string bytes = message([&](Writer &writer) {
      writer.add_int64(1, 10);
      writer.add_message(8, opset("", 21));
      writer.add_message(7, message([&](Writer &graph) {
                           graph.add_message(1, node("Cast", {"x"}, {"y"}, ofInt("to", 6)));
                           graph.add_message(11, typed("x", 1, {"4"}));
                           graph.add_message(12, value("y"));
                         }));
    });
    std::unique_ptr<onnx::Model> model = onnx::readModel(bytes, "m.onnx", diagnostics);
    EXPECT_TRUE(model);
    onnx::FormIndex forms;
    if (contract)
      forms.add(*contract, true);
    return model ? coverModel(*model, forms).nodes.at(0).reason : "";
  };
  EXPECT_THAT(reasonOf("nearest_even"), HasSubstr("Cast of ONNX cuts floats to integers"));
  EXPECT_EQ(reasonOf("trunc"), "");
}

// The table of operators is sorted, which findOperator relies on.
TEST(OnnxCoverage, Operators) {
  const std::vector<onnx::KnownOperator> &all = onnx::knownOperators();
  for (size_t i = 1; i < all.size(); ++i)
    EXPECT_LT(all[i - 1].name, all[i].name);
  for (const onnx::KnownOperator &each : all)
    EXPECT_EQ(onnx::findOperator(each.name), &each);
  EXPECT_EQ(onnx::findOperator("Nope"), nullptr);
}
