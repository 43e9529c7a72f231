#include "register/op_def_registry.h"
#include "split_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  SplitTilingData tiling;
  const auto shape = context->GetInputShape(0)->GetStorageShape();
  const int64_t cols = shape.GetDim(shape.GetDimNum() - 1);
  if (cols % 2 != 0) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_rows(shape.GetShapeSize() / cols);
  tiling.set_half(cols / 2);
  tiling.set_group(4);
  context->SetBlockDim(2);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  for (int i = 0; i < 2; ++i) {
    gert::Shape *y = context->GetOutputShape(i);
    *y = *context->GetInputShape(0);
    y->SetDim(y->GetDimNum() - 1, y->GetDim(y->GetDimNum() - 1) / 2);
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Split : public OpDef {
public:
  explicit Split(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y1")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y2")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Split);
} // namespace ops
