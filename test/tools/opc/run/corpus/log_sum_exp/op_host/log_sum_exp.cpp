#include "log_sum_exp_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  LogSumExpTilingData tiling;
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
  gert::Shape *y = context->GetOutputShape(0);
  y->SetDimNum(1);
  y->SetDim(0, x->GetDim(1));
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class LogSumExp : public OpDef {
public:
  explicit LogSumExp(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(LogSumExp);
} // namespace ops
