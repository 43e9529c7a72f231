// The host side of an operator with an attribute, renamed for its package.
#include "my_swish.cpp"

#include "check.h"

static gert::TilingContext context(gert::Shape x) {
  gert::TilingContext result;
  result.inputs.resize(1);
  result.inputs[0].shape = x;
  result.given = {true};
  result.descs.resize(1);
  result.descs[0].type = ge::DT_FLOAT16;
  result.outputDescs = result.descs;
  return result;
}

int main() {
  const ops::OpDef &op = ops::Added()[0];
  CHECK(op.name == "MySwish" && op.attrs.size() == 1 && op.attrs[0].name == "beta");
  CHECK(op.attrs[0].type == "float" && op.attrs[0].number == 1.0 && op.attrs[0].option == ops::OPTIONAL);

  gert::TilingContext launch = context({7});
  MySwishTilingData data;
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS);
  std::memcpy(&data, launch.tiling.GetData(), sizeof data);
  CHECK(data.beta == 1.0f && data.size0 == 7 && data.block_num_ == 1);
  launch.attrs.floats[0] = -2.5f;
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS);
  std::memcpy(&data, launch.tiling.GetData(), sizeof data);
  CHECK(data.beta == -2.5f);
  // The contract's range: -100 to 100, both admitted; NaN is in no range.
  launch.attrs.floats[0] = 100.0f;
  CHECK(op.core.tiling(&launch) == ge::GRAPH_SUCCESS);
  launch.attrs.floats[0] = 100.5f;
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  launch.attrs.floats[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(op.core.tiling(&launch) == ge::GRAPH_FAILED);
  return done();
}
