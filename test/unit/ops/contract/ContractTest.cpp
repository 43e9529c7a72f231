// Look-ups in a contract and names that follow from it.

#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it files and kernels would have other names than the vendor's tools look for.
TEST(Contract, SnakeCase) {
  EXPECT_EQ(snakeCase("AddRelu"), "add_relu");
  EXPECT_EQ(snakeCase("AbcAAc"), "abc_a_ac");
  EXPECT_EQ(snakeCase("Swish"), "swish");
  EXPECT_EQ(snakeCase("Conv2D"), "conv2_d");
  EXPECT_EQ(snakeCase(""), "");
}

// Without it two rows of a cast would have one kernel name.
TEST(Contract, TypeRowNames) {
  Contract contract = expectGood("schema: 1", "schema: 1");
  EXPECT_EQ(contract.typeRowName(0), "float16");
  EXPECT_EQ(contract.kernelName(1), "row_scale_float32");
  contract.inputs.resize(1);
  contract.inputs[0].types = {ElementType::Float32, ElementType::Float32};
  contract.outputs.resize(1);
  contract.outputs[0].types = {ElementType::Float16, ElementType::Int8};
  EXPECT_EQ(contract.typeRowName(0), "float32_float16");
  EXPECT_EQ(contract.kernelName(1), "row_scale_float32_int8");
}

TEST(Contract, LookUps) {
  Contract contract = expectGood("schema: 1", "schema: 1");
  EXPECT_EQ(contract.findTensor("scale"), &contract.inputs[1]);
  EXPECT_EQ(contract.findTensor("total"), &contract.outputs[1]);
  EXPECT_EQ(contract.findTensor("beta"), nullptr);
  EXPECT_EQ(contract.findAttribute("mode"), &contract.attributes[3]);
  EXPECT_EQ(contract.findDimension("M"), &contract.dimensions[1]);
  EXPECT_EQ(contract.findDimension("Z"), nullptr);
  EXPECT_EQ(parseBodyLevel("te"), BodyLevel::Te);
  EXPECT_EQ(parseBodyLevel("tea"), std::nullopt);
}
