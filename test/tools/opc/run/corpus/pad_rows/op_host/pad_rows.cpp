#include "pad_rows_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  PadRowsTilingData tiling;
  const auto shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const auto *paddings = context->GetAttrs()->GetListInt(0);
  if (paddings == nullptr || paddings->GetSize() != 2) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_rows(shape.GetShapeSize() / cols);
  tiling.set_cols(cols);
  tiling.set_left(paddings->GetData()[0]);
  tiling.set_outCols(cols + paddings->GetData()[0] + paddings->GetData()[1]);
  tiling.set_value(*context->GetAttrs()->GetFloat(1));
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const auto *paddings = context->GetAttrs()->GetListInt(0);
  gert::Shape *y = context->GetOutputShape(0);
  *y = *context->GetInputShape(0);
  const size_t last = y->GetDimNum() - 1;
  y->SetDim(last, y->GetDim(last) + paddings->GetData()[0] + paddings->GetData()[1]);
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class PadRows : public OpDef {
public:
  explicit PadRows(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("paddings").AttrType(REQUIRED).ListInt();
    this->Attr("value").AttrType(OPTIONAL).Float(0.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(PadRows);
} // namespace ops
