// The host side of an operator whose weights may be packed: the format selects the row, and sizes are those of the matrix.
#include "linear.cpp"

#include "check.h"

/// a [3, 40], b [17, 40] in the format, bias [17].
static gert::TilingContext context(ge::DataType type, ge::Format format) {
  gert::TilingContext result;
  result.inputs.resize(3);
  result.inputs[0].shape = result.inputs[0].origin = {3, 40};
  result.inputs[1].shape = result.inputs[1].origin = {17, 40};
  result.inputs[2].shape = result.inputs[2].origin = {17};
  if (format == ge::FORMAT_FRACTAL_NZ)
    result.inputs[1].shape = {3, 2, 16, 16};
  result.given = {true, true, true};
  result.descs.resize(3);
  for (gert::CompileTimeTensorDesc &desc : result.descs)
    desc.type = type;
  result.descs[1].format = format;
  result.outputDescs.resize(1);
  result.outputDescs[0].type = type;
  return result;
}

int main() {
  const ops::OpDef &op = ops::Added()[0];
  gert::TilingContext rows = context(ge::DT_FLOAT16, ge::FORMAT_ND);
  gert::TilingContext packed = context(ge::DT_FLOAT16, ge::FORMAT_FRACTAL_NZ);
  CHECK(op.core.tiling(&rows) == ge::GRAPH_SUCCESS);
  CHECK(op.core.tiling(&packed) == ge::GRAPH_SUCCESS);
  // The kernel of the same key, of the fourth row.
  CHECK(packed.key == rows.key + 3 * 256);
  packed = context(ge::DT_BF16, ge::FORMAT_FRACTAL_NZ);
  CHECK(op.core.tiling(&packed) == ge::GRAPH_SUCCESS);
  CHECK(packed.key == rows.key + 4 * 256);
  // No row of float32 is packed.
  gert::TilingContext other = context(ge::DT_FLOAT, ge::FORMAT_FRACTAL_NZ);
  CHECK(op.core.tiling(&other) == ge::GRAPH_FAILED);
  return done();
}
