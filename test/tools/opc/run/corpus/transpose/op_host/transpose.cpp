#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "transpose_tiling.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  TransposeTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const size_t dims = shape.GetDimNum();
  if (dims < 2) {
    return ge::GRAPH_FAILED;
  }
  const uint32_t rows = shape.GetDim(dims - 2), cols = shape.GetDim(dims - 1);
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_batch(shape.GetShapeSize() / (static_cast<int64_t>(rows) * cols));
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *x = context->GetInputShape(0);
  gert::Shape *y = context->GetOutputShape(0);
  const size_t dims = x->GetDimNum();
  *y = *x;
  y->SetDim(dims - 1, x->GetDim(dims - 2));
  y->SetDim(dims - 2, x->GetDim(dims - 1));
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Transpose : public OpDef {
public:
  explicit Transpose(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_INT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_INT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Transpose);
} // namespace ops
