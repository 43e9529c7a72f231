// Which values of a body lie in the workspace of its launch, and in which nests they are written and read.

#include "ops/contract/domain/Workspace.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Nests.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/read/Reader.h"

#include "gtest/gtest.h"

using namespace opc;

/// A tensor of float16 with named dimensions, "...S" for a pack.
static ContractTensor tensor(const std::string &name, const std::vector<std::string> &shape) {
  ContractTensor made;
  made.name = name;
  made.types = {ElementType::Float16};
  for (const std::string &text : shape) {
    ContractDim dim;
    const bool isPack = text.rfind("...", 0) == 0;
    dim.kind = isPack ? ContractDim::Pack : ContractDim::Symbol;
    dim.name = isPack ? text.substr(3) : text;
    made.shape.push_back(dim);
  }
  return made;
}

static Contract contract(const std::vector<ContractTensor> &inputs, const std::vector<ContractTensor> &outputs,
                         const std::string &lines) {
  Contract made;
  made.inputs = inputs;
  made.outputs = outputs;
  made.bodies.resize(1);
  made.bodies[0].level = BodyLevel::Te;
  std::string arguments, results;
  for (const ContractTensor &input : inputs)
    arguments += (arguments.empty() ? "%" : ", %") + input.name + ": !" + input.name;
  readTeBody(made.bodies[0], "!T = f16\nfunc.func @f(" + arguments + ") -> (!y) {\n" + lines + "\n}");
  findWorkspace(made);
  return made;
}

/// "m between_0 [N]" for each value in the workspace, then the tensors of each nest.
static std::string printed(const Contract &contract) {
  std::string text;
  for (const ContractTensor &tensor : contract.workspace)
    text += tensor.summary + " " + tensor.name + " " + printShape(tensor.shape) + "\n";
  if (!hasNests(contract))
    return text + "no nests";
  std::string reason;
  for (const LaunchNest &nest : nestsOf(contract, reason)) {
    for (size_t tensor : nest.tensors)
      text += contract.tensorAt(tensor).name + " ";
    text += nest.first ? "second\n" : "\n";
  }
  return text + reason;
}

// A reduction over other dimensions is in the workspace; one over the same dimensions is computed in the nest.
TEST(Workspace, Reductions) {
  const ContractTensor x = tensor("x", {"N", "M"}), y = tensor("y", {"N", "M"});
  const std::string rows = "%m = te.reduce_mean %x axes [M] keep\n%d = te.sub %x, %m\n";
  const std::string columns = "%c = te.reduce_mean %d axes [N] keep\n%y = te.sub %d, %c\n";
  EXPECT_EQ(printed(contract({x}, {y}, rows + columns + "return %y : !y")),
            "m between_0 [N]\nx between_0 \nx between_0 y \nx between_0 second\n");
  EXPECT_EQ(
      printed(contract({x}, {y}, rows + "%c = te.reduce_max %d axes [-1] keep\n%y = te.sub %d, %c\nreturn %y : !y")),
      "no nests");
  // A value that reads both keeps the dimensions of the last one.
  EXPECT_EQ(printed(contract({x}, {y},
                             "%m = te.reduce_mean %x axes [M] keep\n%c = te.reduce_max %x axes [N] keep\n"
                             "%d = te.sub %x, %m\n%y = te.sub %d, %c\nreturn %y : !y")),
            "m between_0 [N]\nx between_0 \nx between_0 y \nx between_0 second\n");
  // In turns; a reduction that is there twice, with `keep` and without, is one value.
  EXPECT_EQ(printed(contract({x}, {y},
                             rows + "%k = te.reduce_mean %x axes [M]\n" + columns +
                                 "%e = te.reduce_max %y axes [M] keep\n%z = te.sub %y, %e\nreturn %z : !y")),
            "m between_0 [N]\nc between_1 [M]\nx between_0 \nx between_0 between_1 \nx between_0 between_1 y \n"
            "x between_0 second\nx between_0 between_1 y second\n");
}

// What is returned has memory: it is read there, and is not in the workspace too.
TEST(Workspace, Returned) {
  const ContractTensor x = tensor("x", {"N", "M"}), y = tensor("y", {"N", "M"});
  const std::string body = "%m = te.reduce_mean %x axes [M] keep\n%d = te.sub %x, %m\n"
                           "%c = te.reduce_mean %d axes [N] keep\n%y = te.sub %d, %c\n";
  EXPECT_TRUE(contract({x}, {y, tensor("m", {"N"})}, body + "%k = te.reduce_mean %x axes [M]\nreturn %y, %k : !y, !m")
                  .workspace.empty());
  EXPECT_TRUE(contract({x}, {y, tensor("z", {"N", "M"})}, body + "return %y, %d : !y, !z").workspace.empty());
  // A result of one set of dimensions is computed as without a workspace, in the nest that writes there.
  EXPECT_EQ(
      printed(contract({x}, {y, tensor("e", {"N"})}, body + "%e = te.reduce_max %x axes [M]\nreturn %y, %e : !y, !e")),
      "m between_0 [N]\nx e between_0 \nx between_0 y \nx e between_0 second\n");
}

// The dimensions of a value are those of what it is computed from, in the order of the domain.
TEST(Workspace, Shapes) {
  const ContractTensor x = tensor("x", {"N", "C", "...S"}), w = tensor("w", {"C"});
  EXPECT_EQ(printed(contract({x, w}, {tensor("s", {"N"})},
                             "%m = te.reduce_max %x axes [S]\n%q = te.mul %m, %w\n"
                             "%s = te.reduce_sum %q axes [C]\nreturn %s : !s")),
            "m between_0 [N, C]\nx between_0 \nw between_0 s \nx between_0 second\nw between_0 s second\n");
  EXPECT_EQ(printed(contract({x, w}, {tensor("y", {"N", "C", "...S"})},
                             "%m = te.reduce_max %w axes [C]\n%k = te.sub %x, %m\n"
                             "%s = te.reduce_sum %k axes [S] keep\n%y = te.sub %k, %s\nreturn %y : !y")),
            "m between_0 []\nw between_0 \nx between_0 y \nw between_0 second\nx between_0 y second\n");
}

// Results over the same dimensions are in one nest if they leave the same, and in others if not.
TEST(Workspace, Leaves) {
  const ContractTensor x = tensor("x", {"A", "B"}), v = tensor("v", {"A"});
  const ContractTensor y = tensor("y", {"B"}), m = tensor("m", {"B"}), z = tensor("z", {});
  const std::string sums = "%y = te.reduce_sum %x axes [A]\n%z = te.reduce_sum %v axes [A]\n";
  EXPECT_EQ(printed(contract({x, v}, {y, z}, sums + "return %y, %z : !y, !z")), "x y \nv z \nv z second\n");
  EXPECT_EQ(
      printed(contract({x, v}, {y, z, m}, sums + "%m = te.reduce_max %x axes [A]\nreturn %y, %z, %m : !y, !z, !m")),
      "x y m \nv z \nv z second\n");
  EXPECT_EQ(printed(contract({x, v}, {y},
                             "%m = te.reduce_sum %v axes [A]\n%d = te.sub %x, %m\n"
                             "%y = te.reduce_sum %d axes [A]\nreturn %y : !y")),
            "no nests");
}

// A value has the dimensions along which it counts, and those of a result whose shape it takes. Only the nests that
// need positions count.
TEST(Workspace, Positions) {
  const ContractTensor x = tensor("x", {"N", "M", "K"}), w = tensor("w", {"N"}), y = tensor("y", {"N", "M", "K"});
  const Contract c = contract({x, w}, {y},
                              "%p = te.iota along M to !y\n%q = te.cast %p to !T\n%a = te.mul %q, %w\n"
                              "%b = te.mul %a, %x\n%m = te.reduce_max %b axes [N, K] keep\n%d = te.sub %x, %m\n"
                              "%c = te.reduce_max %d axes [M] keep\n%y = te.sub %d, %c\nreturn %y : !y");
  EXPECT_EQ(printed(c), "m between_0 [M]\nx w between_0 \nx between_0 y \n");
  std::string reason;
  const std::vector<LaunchNest> nests = nestsOf(c, reason);
  ASSERT_EQ(nests.size(), 2u);
  EXPECT_EQ(nests[0].contract.bodies[0].counts, std::vector<std::string>{"M"});
  EXPECT_TRUE(nests[1].contract.bodies[0].counts.empty());
  EXPECT_EQ(printShape(contract({x, w}, {y},
                                "%b = te.broadcast %w to !y\n%m = te.reduce_sum %b axes [K] keep\n%d = te.sub %x, %m\n"
                                "%c = te.reduce_max %d axes [M] keep\n%y = te.sub %d, %c\nreturn %y : !y")
                           .workspace[0]
                           .shape),
            "[N, M]");
}

// What scans, gathers or takes parts is in the workspace where a reduction reads it, and beside windows their results.
TEST(Workspace, Apart) {
  const ContractTensor x = tensor("x", {"N", "M"}), c = tensor("c", {"M"});
  const std::string reduced = "%c = te.reduce_max %s axes [N]\nreturn %c : !c";
  EXPECT_EQ(printed(contract({x}, {c}, "%s = te.scan sum %x along M\n" + reduced)),
            "s between_0 [N, M]\nx between_0 \nbetween_0 c \n");
}

// A reduction along all terms of a concat is one of each range, and so is what lies between.
TEST(Workspace, RangesTogether) {
  const ContractTensor a = tensor("a", {"N", "A"}), b = tensor("b", {"N", "B"}), y = tensor("y", {"N"});
  const std::string joined = "%s = te.concat %a, %b along A + B\n%t = te.neg %s\n";
  EXPECT_EQ(printed(contract({a, b}, {y}, joined + "%y = te.reduce_max %t axes [A, B]\nreturn %y : !y")),
            "y|A+B|0 between_0 [N]\na between_0 \nb between_0 y \na between_0 second\nb between_0 y second\n");
  // A mean has numbers of elements, too.
  EXPECT_EQ(contract({a, b}, {y}, joined + "%y = te.reduce_mean %t axes [A, B]\nreturn %y : !y").workspace.size(), 2u);
  // What is kept along the sum is computed of each range, and a term that no input has is nothing.
  EXPECT_EQ(contract({a, b}, {y},
                     joined + "%m = te.reduce_max %t axes [N] keep\n%d = te.sub %t, %m\n"
                              "%y = te.reduce_max %d axes [A, B]\nreturn %y : !y")
                .workspace.size(),
            3u);
  EXPECT_EQ(printed(contract({tensor("a", {"N"}), b}, {y},
                             "%s = te.concat %a, %b along 1+B\n%y = te.reduce_max %s axes [B]\nreturn %y : !y")),
            "no nests");
  // Positions are not combined.
  EXPECT_EQ(printed(contract({a, b}, {y}, joined + "%y = te.arg_max %t axes [A, B]\nreturn %y : !y")), "no nests");
}

// Nests of other kinds have no workspace, and shapes that change are found again.
TEST(Workspace, Again) {
  const ContractTensor x = tensor("x", {"N", "M"}), y = tensor("y", {"N", "M"});
  const std::string lines = "%m = te.reduce_mean %x axes [M] keep\n%d = te.sub %x, %m\n"
                            "%c = te.reduce_mean %d axes [N] keep\n%y = te.sub %d, %c\nreturn %y : !y";
  Contract c = contract({x}, {y}, lines);
  findWorkspace(c);
  EXPECT_EQ(c.workspace.size(), 1u);
  EXPECT_EQ(c.bodies[0].results.size(), 2u);
  c.inputs[0] = c.outputs[0] = tensor("x", {"M", "N"});
  findWorkspace(c);
  EXPECT_EQ(printShape(c.workspace[0].shape), "[N]");
  c.bodies[0].scans = {"N to K"};
  findWorkspace(c);
  EXPECT_TRUE(c.workspace.empty());
  EXPECT_EQ(c.bodies[0].results.size(), 1u);
  // Names of the contract are taken.
  EXPECT_EQ(contract({tensor("between_0", {"N", "M"})}, {y},
                     "%m = te.reduce_mean %between_0 axes [M] keep\n%d = te.sub %between_0, %m\n"
                     "%c = te.reduce_mean %d axes [N] keep\n%y = te.sub %d, %c\nreturn %y : !y")
                .workspace[0]
                .name,
            "between_1");
}
