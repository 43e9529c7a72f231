// What the reader makes of a contract that is right, and of one that is wrong in several places.

#include "ops/contract/read/Reader.h"
#include "test/unit/Folders.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

static Contract good() {
  return expectGood("schema: 1", "schema: 1");
}

// Without it a key could be read into the wrong field, or into none.
TEST(Reader, EveryKeyArrives) {
  Contract c = good();
  EXPECT_EQ(c.opType, "RowScale");
  EXPECT_EQ(c.name, "row_scale");
  EXPECT_EQ(c.version, "1.2.3");
  EXPECT_EQ(c.summary, "Scales rows and sums them");
  ASSERT_EQ(c.inputs.size(), 3u);
  EXPECT_EQ(c.inputs[0].summary, "Rows");
  EXPECT_EQ(c.inputs[0].types, (std::vector<ElementType>{ElementType::Float16, ElementType::Float32}));
  EXPECT_EQ(c.inputs[0].formats, (std::vector<std::string>{"ND", "NCHW"}));
  EXPECT_EQ(c.inputs[1].formats, (std::vector<std::string>{"ND", "ND"}));
  ASSERT_EQ(c.inputs[0].shape.size(), 2u);
  EXPECT_EQ(c.inputs[0].shape[0].kind, ContractDim::Pack);
  EXPECT_EQ(c.inputs[0].shape[0].name, "B");
  EXPECT_EQ(c.inputs[0].shape[1].kind, ContractDim::Symbol);
  EXPECT_EQ(c.inputs[2].shape[0].size, 4);
  EXPECT_EQ(c.inputs[1].broadcast, Broadcast::Numpy);
  EXPECT_TRUE(c.inputs[0].required);
  EXPECT_FALSE(c.inputs[2].required);
  ASSERT_EQ(c.outputs.size(), 2u);
  ASSERT_TRUE(c.outputs[1].reduces.has_value());
  EXPECT_EQ(c.outputs[1].reduces->input, "x");
  EXPECT_EQ(c.outputs[1].reduces->axes, "axes");
  EXPECT_EQ(c.outputs[1].reduces->keepDims, "keep");
  EXPECT_EQ(c.boundary.nan, ContractBoundary::Nan::Propagate);
  EXPECT_EQ(c.precision.compute, ElementType::Float32);
  EXPECT_EQ(c.precision.find(ElementType::Float32)->maxUlp, 4);
  EXPECT_EQ(c.precision.find(ElementType::Float32)->plusUlpOf, (std::vector<std::string>{"beta", "x"}));
  EXPECT_EQ(c.precision.find(ElementType::Float32)->absolute, 1e-36);
  EXPECT_EQ(c.precision.find(ElementType::Int8), nullptr);
  ASSERT_EQ(c.bodies.size(), 2u);
  EXPECT_EQ(c.bodies[0].level, BodyLevel::Te);
  EXPECT_EQ(c.findBody(BodyLevel::AICore)->file, "kernels/row_scale.aicore.mlir");
  EXPECT_EQ(c.reference, "reference.py");
  EXPECT_EQ(c.schedule, "row_scale.schedule");
  ASSERT_EQ(c.testShapes.size(), 1u);
  EXPECT_EQ(c.testShapes[0].inputs[0], (std::vector<int64_t>{2, 8}));
  EXPECT_EQ(c.testShapes[0].inputs[2], std::nullopt);
}

// Without it values would arrive as another type than the attribute's.
TEST(Reader, AttributeValues) {
  Contract c = good();
  EXPECT_EQ(std::get<double>(c.findAttribute("beta")->defaultValue), 0.5);
  EXPECT_EQ(c.findAttribute("beta")->binding, Binding::Launch);
  EXPECT_EQ(c.findAttribute("beta")->maximum, 8.5);
  EXPECT_EQ(std::get<std::vector<int64_t>>(c.findAttribute("axes")->defaultValue), (std::vector<int64_t>{-1}));
  EXPECT_EQ(std::get<bool>(c.findAttribute("keep")->defaultValue), false);
  EXPECT_EQ(std::get<std::string>(c.findAttribute("mode")->defaultValue), "fast");
  EXPECT_EQ(c.findAttribute("mode")->choices, (std::vector<std::string>{"fast", "exact"}));
  Contract without = expectGood("    default: 0.5\n", "");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(without.findAttribute("beta")->defaultValue));
  Contract lists = expectGood("    type: list_int\n    bind: compile\n    default:\n      - -1\n",
                              "    type: list_int\n    bind: compile\n    default: []\n");
  EXPECT_TRUE(std::get<std::vector<int64_t>>(lists.findAttribute("axes")->defaultValue).empty());
}

// Without it a user would mend one error a run.
TEST(Reader, SeveralErrorsInOneRun) {
  std::string text = edited("version: 1.2.3", "version: one");
  text.replace(text.find("      - float16"), 15, "      - flaot16");
  text.replace(text.find("bind: launch"), 12, "bind: lunch");
  text.replace(text.find("    minimum: 1\n"), 15, "    minimun: 1\n");
  text.replace(text.find("reference: reference.py"), 23, "reference: /etc/passwd");
  text += "unknown: 1\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics).has_value());
  std::vector<std::string> rules;
  for (const Diagnostic &diagnostic : diagnostics.all())
    rules.push_back(diagnostic.rule);
  EXPECT_THAT(rules, testing::UnorderedElementsAre("contract_c15", "contract_c12", "contract_c12", "contract_c9",
                                                   "contract_c40", "contract_c9"));
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Contract);
}

// Without it a hostile contract could print megabytes.
TEST(Reader, AtMostAHundredErrors) {
  std::string text = sample();
  for (int i = 0; i < 5000; ++i)
    text += "k" + std::to_string(i) + ": 1\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics).has_value());
  ASSERT_EQ(diagnostics.all().size(), 100u);
  EXPECT_EQ(diagnostics.all().back().notes.at(0).message,
            "this is error 100 of the file; those after it are not shown");
}

// Windows editors end lines in CR LF; flow style is YAML too.
TEST(Reader, OtherSpellingsOfYaml) {
  std::string crlf;
  for (char c : sample())
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
  Diagnostics diagnostics;
  EXPECT_TRUE(read(crlf, diagnostics).has_value());
  expectGood("    shape:\n      - ...B\n      - M\n", "    shape: [...B, M]\n");
  expectGood("    shape:\n      - 4\n", "    shape: []\n");
  expectGood("schema: 1\n", "%YAML 1.2\n---\nschema: 1\n");
}

// An earlier contract's errors do not spoil the next one of the same run.
TEST(Reader, DiagnosticsAreShared) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read("", diagnostics).has_value());
  EXPECT_TRUE(read(sample(), diagnostics).has_value());
}

// The contracts that are shipped are right, in block style, with the columns that simple tools rely on.
TEST(Reader, Library) {
  for (const char *name : {"add_relu", "swish"}) {
    Diagnostics diagnostics;
    std::string path = sourceFolder() + "/ops/library/" + name + "/op_contract.yaml";
    std::optional<Contract> contract = loadContract(path, diagnostics);
    ASSERT_TRUE(contract.has_value()) << path;
    EXPECT_EQ(contract->name, name);
    EXPECT_EQ(contract->typeRows(), 3u);
    EXPECT_EQ(contract->rowsOf(*contract->findBody(BodyLevel::AICore)), (std::vector<unsigned>{0, 1}));
    EXPECT_EQ(contract->kernelName(0), std::string(name) + "_float16");
  }
  Diagnostics diagnostics;
  std::optional<Contract> swish = loadContract(sourceFolder() + "/ops/library/swish/op_contract.yaml", diagnostics);
  EXPECT_EQ(swish->precision.find(ElementType::Float16)->maxUlp, 1);
  EXPECT_EQ(swish->precision.find(ElementType::Float32)->plusUlpOf, (std::vector<std::string>{"beta", "x"}));
  EXPECT_EQ(std::get<double>(swish->findAttribute("beta")->defaultValue), 1.0);
}

/// "axes / arguments" of each value that a text returns.
static std::string flowOf(const std::string &text) {
  ContractBody body;
  readTeBody(body, text);
  std::string printed;
  for (const ContractBodyResult &result : body.results) {
    for (const std::vector<std::string> &axes : result.axes) {
      printed += '[';
      for (const std::string &axis : axes)
        printed += axis + " ";
      printed += ']';
    }
    for (unsigned argument : result.arguments)
      printed += " " + std::to_string(argument);
    printed += ";";
  }
  return printed;
}

// Values are followed through the text: over operands, blanks, comments and several functions.
TEST(Reader, FlowOfBodies) {
  const std::string head = "!T = f16\nfunc.func @f(%x: !x, %g : !g, %e: f32) -> (!a, !b) {\n";
  EXPECT_EQ(flowOf(head +
                   "%a = te.reduce_sum %x axes [S]\n%b = te.reduce_max %g axes[C , 1] keep\nreturn %a, %b : !a, !b\n}"),
            "[S ] 0;[C 1 ] 1;");
  EXPECT_EQ(flowOf(head + "// %x = axes [N]\n%m = te.reduce_sum\n %x axes #axes\n%s=te.sub %x,%m\n%d = te.mul %s, %e\n"
                          "%u = te.reduce_max %d axes [C] // dead\nreturn %d, %g : !a, !b }"),
            "[#axes ] 0 2; 1;");
  // A name is the last value that has it; one that nothing defines is of no argument.
  EXPECT_EQ(flowOf(head + "%x-1 = te.neg %x\n%axes = te.neg %g\nfunc.return %x-1, %axes, %none : !a, !b, !c }"),
            " 0; 1;;");
  // What functions of other types compute is added.
  const std::string other =
      "\nfunc.func @f_float32(%x: !x {k = 1 : i32}, %g: !g) -> !a {\n%a = te.reduce_sum %g axes [N]\n"
      "return %a : !a }\n";
  EXPECT_EQ(flowOf(head + "return %x, %x : !a, !b }" + other), "[N ] 0 1; 0;");
  // Text that is none, and more than is counted.
  for (const char *text :
       {"", "%", "%a =", "axes", "axes [", "func.func", "func.func @f(%a) { return", "}}}", "return %a"})
    EXPECT_EQ(flowOf(text), "") << text;
  // What depends on different axes is computed from the returned values before it, whatever `keep` says of them.
  const std::string rows = "%r = te.reduce_mean %x axes [M] keep\n%d = te.sub %x, %r\n";
  const std::string columns = "%c = te.reduce_mean %d axes [N] keep\n%y = te.sub %d, %c\n";
  EXPECT_EQ(flowOf(head + rows + columns + "return %y, %r : !a, !b }"), "[N ] 0 65;[M ] 0;");
  EXPECT_EQ(flowOf(head + rows + columns + "%k = te.reduce_mean  %x axes [ M]\nreturn %k, %y : !a, !b }"),
            "[M ] 0;[N ] 0 64;");
  EXPECT_EQ(flowOf(head + rows + columns + "%k = te.reduce_max %x axes [M]\nreturn %k, %y : !a, !b }"),
            "[M ] 0;[M ][N ] 0;");
  EXPECT_EQ(flowOf(head + rows + columns + "return %y, %d, %c : !a, !b, !c }"), " 65 66;[M ] 0;[N ] 65;");
  // Where the axes are the same, results are of one nest.
  EXPECT_EQ(flowOf(head + rows + "%c = te.reduce_max %d axes [M]\nreturn %r, %c : !a, !b }"), "[M ] 0;[M ] 0;");
  std::string many = head;
  for (int i = 0; i < 65; ++i)
    many += "%r = te.reduce_sum %x axes [D" + std::to_string(i) + "]\n";
  EXPECT_EQ(flowOf(many + "return %r, %r : !a, !b }"), "");
}

// Which results depend on a reduction of what another one left.
TEST(Reader, DependentReductions) {
  auto again = [](const std::string &lines) {
    ContractBody body;
    readTeBody(body, "!T = f16\nfunc.func @f(%x: !x, %g: !g) -> (!a, !b) {\n" + lines + "\n}");
    std::string printed;
    for (const ContractBodyResult &result : body.results)
      printed += result.reducesAgain ? '1' : '0';
    return printed;
  };
  const std::string mean = "%m = te.reduce_mean %x axes #axes keep\n";
  EXPECT_EQ(again(mean + "%n = te.reduce_max %x axes #axes\n%s = te.add %m, %n\nreturn %s, %m : !a, !b"), "00");
  EXPECT_EQ(
      again(mean + "%d = te.sub %x, %m\n%v = te.reduce_sum %d axes #axes\n%e = te.neg %v\nreturn %m, %e : !a, !b"),
      "01");
  // What is only read by a reduction that is not returned, and a name that is defined again.
  EXPECT_EQ(again(mean + "%v = te.reduce_sum %m axes #axes\nreturn %m, %x : !a, !b"), "00");
  EXPECT_EQ(again(mean + "%m = te.neg %x\n%v = te.reduce_sum %m axes #axes\nreturn %v, %m : !a, !b"), "00");
}
