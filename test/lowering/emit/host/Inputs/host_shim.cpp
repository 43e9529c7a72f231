// Generated host code of one operator as a library: -DHOST_SOURCE="\"add.cpp\"".
#include HOST_SOURCE

#include "host_launch.h"

extern "C" void run_host_launch(HostLaunch &launch) {
  const ops::OpDef &op = ops::Added()[0];
  gert::RuntimeAttrs attrs;
  attrs.floats = launch.floats;
  attrs.ints = launch.ints;
  attrs.bools = launch.bools;
  for (const auto &entry : launch.intLists)
    attrs.intLists[entry.first].items = entry.second;

  gert::TilingContext tiling;
  gert::InferShapeContext shapes;
  gert::InferDataTypeContext types;
  for (size_t i = 0; i < launch.inputs.size(); ++i) {
    gert::Shape shape;
    shape.sizes = launch.inputs[i];
    tiling.inputs.emplace_back();
    tiling.inputs.back().shape = tiling.inputs.back().origin = shape;
    shapes.inputs.push_back(shape);
    tiling.descs.emplace_back();
    tiling.descs.back().type = static_cast<ge::DataType>(launch.inputTypes[i]);
    types.inputs.push_back(static_cast<ge::DataType>(launch.inputTypes[i]));
  }
  for (int type : launch.outputTypes) {
    tiling.outputDescs.emplace_back();
    tiling.outputDescs.back().type = static_cast<ge::DataType>(type);
    types.outputs.push_back(static_cast<ge::DataType>(type));
  }
  tiling.given = shapes.given = launch.given;
  tiling.attrs = shapes.attrs = attrs;
  tiling.platform.cores = launch.cores;
  shapes.outputs.resize(launch.outputTypes.size());

  launch.inferred = op.inferShape(&shapes) == ge::GRAPH_SUCCESS;
  launch.outputs.clear();
  for (const gert::Shape &shape : shapes.outputs)
    launch.outputs.push_back(shape.sizes);
  launch.typed = op.inferDataType(&types) == ge::GRAPH_SUCCESS;
  launch.types.assign(types.outputs.begin(), types.outputs.end());
  launch.taken = op.core.tiling(&tiling) == ge::GRAPH_SUCCESS;
  launch.key = tiling.key;
  launch.blocks = tiling.blocks;
  launch.tiling.assign(tiling.tiling.bytes.begin(),
                       tiling.tiling.bytes.begin() + static_cast<long>(tiling.tiling.size));
}
