#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "top_k_tiling.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  TopKTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / cols;

  const int64_t k = *context->GetAttrs()->GetInt(0);
  if (cols > 128 || k > cols) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_k(k);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const int64_t k = *context->GetAttrs()->GetInt(0);
  for (int i = 0; i < 2; ++i) {
    gert::Shape *y = context->GetOutputShape(i);
    *y = *context->GetInputShape(0);
    y->SetDim(y->GetDimNum() - 1, k);
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class TopK : public OpDef {
public:
  explicit TopK(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Output("values")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Output("indices")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Attr("k").AttrType(REQUIRED).Int();
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(TopK);
} // namespace ops
