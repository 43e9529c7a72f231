#include "mean_rows_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  MeanRowsTilingData tiling;
  const auto *shape = context->GetInputShape(0);
  const int64_t rows = shape->GetStorageShape().GetDim(0);
  tiling.set_rows(rows);
  tiling.set_cols(shape->GetStorageShape().GetShapeSize() / rows);
  tiling.set_tile(512);
  tiling.set_factor(1.0f / rows);
  context->SetBlockDim(2);
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
  y->SetDimNum(0);
  for (size_t i = 1; i < x->GetDimNum(); ++i) {
    y->AppendDim(x->GetDim(i));
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class MeanRows : public OpDef {
public:
  explicit MeanRows(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(MeanRows);
} // namespace ops
