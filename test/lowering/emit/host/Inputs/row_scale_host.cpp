// The host side of a contract that has every key: a broadcasting input, an optional one, an
// equation, an output that reduces, attributes of four types.
#include "row_scale.cpp"

#include "check.h"

static gert::TilingContext launch(gert::Shape x, gert::Shape scale) {
  gert::TilingContext result;
  result.inputs.resize(3);
  result.inputs[0].shape = x;
  result.inputs[1].shape = scale;
  result.given = {true, true, false};
  result.descs.resize(3);
  result.descs[0].type = result.descs[1].type = ge::DT_FLOAT16;
  result.descs[2].type = ge::DT_FLOAT;
  result.outputDescs.resize(2);
  result.outputDescs[0].type = ge::DT_FLOAT16;
  result.outputDescs[1].type = ge::DT_FLOAT;
  return result;
}

static std::vector<int64_t> inferred(const ops::OpDef &op, gert::Shape x, gert::Shape scale, size_t output,
                                     gert::RuntimeAttrs attrs = {}) {
  gert::InferShapeContext context;
  context.inputs = {x, scale};
  context.given = {true, true};
  context.outputs.resize(2);
  context.attrs = attrs;
  if (op.inferShape(&context) != ge::GRAPH_SUCCESS)
    return {-99};
  return context.outputs[output].sizes;
}

int main() {
  using Sizes = std::vector<int64_t>;
  const ops::OpDef &op = ops::Added()[0];
  CHECK(op.inputs.size() == 3 && op.inputs[2].option == ops::OPTIONAL);
  CHECK((op.inputs[0].formats == std::vector<ge::Format>{ge::FORMAT_ND, ge::FORMAT_NCHW}));
  CHECK(op.attrs.size() == 4 && op.attrs[1].type == "list_int" && op.attrs[1].count == 1);
  CHECK(op.attrs[3].type == "string" && op.attrs[3].text == "fast");

  // M = 2 N + 1; total drops the last axis.
  CHECK((inferred(op, {2, 8}, {8}, 0) == Sizes{2, 17}));
  CHECK((inferred(op, {2, 8}, {1, 1}, 1) == Sizes{2}));
  CHECK((inferred(op, {2, 8}, {3, 8}, 0) == Sizes{-99}));
  CHECK((inferred(op, {2, 0}, {1}, 0) == Sizes{-99})); // N is at least 1
  CHECK((inferred(op, {2, -1}, {8}, 0) == Sizes{2, -1}));
  CHECK((inferred(op, {-2}, {8}, 0) == Sizes{-2}));
  gert::RuntimeAttrs keep;
  keep.bools[2] = true;
  keep.intLists[1].items = {0};
  CHECK((inferred(op, {2, 8}, {8}, 1, keep) == Sizes{1, 8}));
  keep.intLists[1].items = {5};
  CHECK((inferred(op, {2, 8}, {8}, 1, keep) == Sizes{-99}));

  gert::TilingContext context = launch({2, 8}, {8});
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS && context.key == 70);
  RowScaleTilingData data;
  std::memcpy(&data, context.tiling.GetData(), sizeof data);
  CHECK(data.block_num_ == 2 && data.columns == 17 && data.total == 2 && data.beta == 0.5f);
  // The tiling function picks the kernel of the row, one that is not there, or refuses.
  context = launch({100, 8}, {8});
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS && context.key == 71);
  context = launch({1500, 8}, {8});
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context = launch({2000, 8}, {8});
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  // Types of an optional input and of an output are held to the row too.
  context = launch({2, 8}, {8});
  context.outputDescs[1].type = ge::DT_FLOAT16;
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context = launch({2, 8}, {8});
  context.given[2] = true;
  context.inputs[2].shape = {4};
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS);
  context.descs[2].type = ge::DT_INT32;
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);

  // Attributes: a range, choices, and what was fixed when the kernel was compiled.
  context = launch({2, 8}, {8});
  context.attrs.floats[0] = 8.5f;
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS);
  context.attrs.floats[0] = -0.5f;
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context = launch({2, 8}, {8});
  context.attrs.texts[3] = "slow";
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context.attrs.texts[3] = "exact";
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context.attrs.texts[3] = "fast";
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS);
  context.attrs.intLists[1].items = {0};
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  // An optional input of the wrong size, and none.
  context = launch({2, 8}, {8});
  context.given[2] = true;
  context.inputs[2].shape = {5};
  CHECK(op.core.tiling(&context) == ge::GRAPH_FAILED);
  context.inputs[2].shape = {4};
  CHECK(op.core.tiling(&context) == ge::GRAPH_SUCCESS);
  return done();
}
