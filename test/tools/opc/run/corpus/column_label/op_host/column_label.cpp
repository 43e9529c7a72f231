#include "column_label_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ColumnLabelTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  tiling.set_rows(shape.GetDim(0));
  tiling.set_cols(shape.GetDim(1));
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
  for (size_t i = 0; i < 2; ++i) {
    gert::Shape *y = context->GetOutputShape(i);
    y->SetDimNum(1);
    y->SetDim(0, x->GetDim(1));
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class ColumnLabel : public OpDef {
public:
  explicit ColumnLabel(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Input("table").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("label").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("index").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(ColumnLabel);
} // namespace ops
