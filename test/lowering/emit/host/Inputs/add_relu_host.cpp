// Calls the host side of AddRelu as the framework would, over the stand-in headers.
#include "add_relu.cpp"

#include "check.h"

static gert::TilingContext context(gert::Shape x1, gert::Shape x2, ge::DataType type) {
  gert::TilingContext result;
  result.inputs.resize(2);
  result.inputs[0].shape = x1;
  result.inputs[1].shape = x2;
  result.given = {true, true};
  result.descs.resize(2);
  result.descs[0].type = result.descs[1].type = type;
  result.outputDescs.resize(1);
  result.outputDescs[0].type = type;
  return result;
}

static void inference(const ops::OpDef &op) {
  gert::InferShapeContext shapes;
  shapes.given = {true, true};
  shapes.outputs.resize(1);
  shapes.inputs = {{2, 3}, {2, 3}};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_SUCCESS);
  CHECK((shapes.outputs[0].sizes == std::vector<int64_t>{2, 3}));
  // What one input does not know another may.
  shapes.inputs = {{-1, 3}, {2, -1}};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_SUCCESS);
  CHECK((shapes.outputs[0].sizes == std::vector<int64_t>{2, 3}));
  shapes.inputs = {{-1, 3}, {-1, 3}};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_SUCCESS);
  CHECK((shapes.outputs[0].sizes == std::vector<int64_t>{-1, 3}));
  shapes.inputs = {{-2}, {-2}};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_SUCCESS);
  CHECK((shapes.outputs[0].sizes == std::vector<int64_t>{-2}));
  shapes.inputs = {{2, 3}, {3, 2}};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_FAILED);
  shapes.given = {true, false};
  CHECK(op.inferShape(&shapes) == ge::GRAPH_FAILED);

  gert::InferDataTypeContext types;
  types.outputs.resize(1);
  types.inputs = {ge::DT_FLOAT, ge::DT_FLOAT};
  CHECK(op.inferDataType(&types) == ge::GRAPH_SUCCESS && types.outputs[0] == ge::DT_FLOAT);
  types.inputs = {ge::DT_FLOAT, ge::DT_FLOAT16};
  CHECK(op.inferDataType(&types) == ge::GRAPH_FAILED);
}

static void tiling(const ops::OpDef &op) {
  // 20000 elements on one core, in balanced tiles of whole repeats.
  gert::TilingContext launch = context({200, 100}, {200, 100}, ge::DT_FLOAT);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS);
  // The key of the second type row.
  CHECK(launch.key == 256 && launch.blocks == 1);
  CHECK(launch.tiling.size % 8 == 0 && launch.tiling.size >= sizeof(AddReluTilingData));
  AddReluTilingData data;
  std::memcpy(&data, launch.tiling.GetData(), sizeof data);
  CHECK(data.block_num_ == 1 && data.tiling_key == 256 && data.size0 == 20000);
  CHECK(data.tile_length > 0 && data.tile_length % 256 == 0 && data.tile_length < 20000);
  CHECK(data.block_length >= 20000 && data.block_length % data.tile_length == 0);
  CHECK(launch.workspaces.size() == 1 && launch.workspaces[0] == 0);

  launch = context({200, 100}, {200, 100}, ge::DT_FLOAT16);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS && launch.key == 0);
  // No element at all is a launch too.
  launch = context({0, 100}, {0, 100}, ge::DT_FLOAT16);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS && launch.blocks == 1);

  launch = context({200, 100}, {100, 200}, ge::DT_FLOAT);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  launch = context({-1, 100}, {-1, 100}, ge::DT_FLOAT);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  launch = context({2}, {2}, ge::DT_INT8);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  launch = context({INT64_MAX, 2}, {INT64_MAX, 2}, ge::DT_FLOAT);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  launch = context({2}, {2}, ge::DT_FLOAT);
  launch.tiling.bytes.resize(8);
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
}

int main() {
  CHECK(ops::Added().size() == 1);
  const ops::OpDef &op = ops::Added()[0];
  CHECK(op.name == "AddRelu" && op.core.chips == std::vector<std::string>{"ascend310b"});
  CHECK(op.inputs.size() == 2 && op.inputs[1].name == "x2" && op.inputs[1].option == ops::REQUIRED);
  CHECK((op.inputs[0].types == std::vector<ge::DataType>{ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_BF16}));
  CHECK((op.inputs[0].unknown == std::vector<ge::Format>(3, ge::FORMAT_ND)));
  CHECK(op.outputs.size() == 1 && op.outputs[0].name == "y" && op.attrs.empty());
  inference(op);
  tiling(op);
  // The reserved class has the fields of the struct, in its order.
  CHECK(StandInTilingClasses().size() == 1 && std::string(StandInTilingClasses()[0].op) == "AddRelu");
  CHECK(StandInTilingClasses()[0].fields.size() == 5);
  CHECK(std::string(StandInTilingClasses()[0].fields[1].name) == "tiling_key");
  return done();
}
