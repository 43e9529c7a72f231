#include "in_range_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  InRangeTilingData tiling;
  tiling.set_total(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.set_low(*context->GetAttrs()->GetFloat(0));
  tiling.set_high(*context->GetAttrs()->GetFloat(1));
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class InRange : public OpDef {
public:
  explicit InRange(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("low").AttrType(OPTIONAL).Float(-1.0);
    this->Attr("high").AttrType(OPTIONAL).Float(1.0);

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(InRange);
} // namespace ops
