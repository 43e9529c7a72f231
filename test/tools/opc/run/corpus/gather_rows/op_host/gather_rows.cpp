#include "gather_rows_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  GatherRowsTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t count = context->GetInputTensor(1)->GetShapeSize();
  const uint32_t cores = 3;
  tiling.set_count(count);
  tiling.set_rows(shape.GetDim(0));
  tiling.set_cols(shape.GetShapeSize() / shape.GetDim(0));
  tiling.set_perBlock((count + cores - 1) / cores);
  context->SetBlockDim((count + (count + cores - 1) / cores - 1) / ((count + cores - 1) / cores));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *x = context->GetInputShape(0);
  const gert::Shape *indices = context->GetInputShape(1);
  gert::Shape *y = context->GetOutputShape(0);
  *y = *indices;
  for (size_t i = 1; i < x->GetDimNum(); ++i) {
    y->AppendDim(x->GetDim(i));
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class GatherRows : public OpDef {
public:
  explicit GatherRows(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("indices")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32, ge::DT_INT32, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(GatherRows);
} // namespace ops
