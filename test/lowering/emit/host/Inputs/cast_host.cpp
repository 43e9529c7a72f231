// The host side of an operator whose inputs do not say the types of its outputs.
#include "my_cast.cpp"

#include "check.h"

static gert::TilingContext context(ge::DataType from, ge::DataType to) {
  gert::TilingContext result;
  result.inputs.resize(1);
  result.inputs[0].shape = {3, 5};
  result.given = {true};
  result.descs.resize(1);
  result.descs[0].type = from;
  result.outputDescs.resize(1);
  result.outputDescs[0].type = to;
  return result;
}

int main() {
  const ops::OpDef &op = ops::Added()[0];
  gert::InferDataTypeContext types;
  types.inputs = {ge::DT_FLOAT};
  types.outputs = {ge::DT_INT8};
  CHECK(op.inferDataType(&types) == ge::GRAPH_SUCCESS && types.outputs[0] == ge::DT_INT8);
  types.outputs = {ge::DT_BF16};
  CHECK(op.inferDataType(&types) == ge::GRAPH_SUCCESS && types.outputs[0] == ge::DT_BF16);
  // No row, and nothing said.
  types.outputs = {ge::DT_FLOAT};
  CHECK(op.inferDataType(&types) == ge::GRAPH_FAILED);
  types.outputs = {ge::DT_UNDEFINED};
  CHECK(op.inferDataType(&types) == ge::GRAPH_FAILED);

  gert::TilingContext half = context(ge::DT_FLOAT, ge::DT_FLOAT16);
  gert::TilingContext byte = context(ge::DT_FLOAT, ge::DT_INT8);
  CHECK(op.core.tiling(&half) == ge::GRAPH_SUCCESS && half.key == 0);
  CHECK(op.core.tiling(&byte) == ge::GRAPH_SUCCESS && byte.key == 2 * 256);
  gert::TilingContext same = context(ge::DT_FLOAT, ge::DT_FLOAT);
  CHECK(op.core.tiling(&same) == ge::GRAPH_FAILED);
  return done();
}
