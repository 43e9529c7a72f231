#include "one_hot_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  OneHotTilingData tiling;
  tiling.set_count(context->GetInputTensor(0)->GetShapeSize());
  tiling.set_depth(*context->GetAttrs()->GetInt(0));
  tiling.set_on(*context->GetAttrs()->GetFloat(1));
  tiling.set_off(*context->GetAttrs()->GetFloat(2));
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  gert::Shape *y = context->GetOutputShape(0);
  *y = *context->GetInputShape(0);
  y->AppendDim(*context->GetAttrs()->GetInt(0));
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class OneHot : public OpDef {
public:
  explicit OneHot(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT32})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Attr("depth").Int();
    this->Attr("on_value").AttrType(OPTIONAL).Float(1.0);
    this->Attr("off_value").AttrType(OPTIONAL).Float(0.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(OneHot);
} // namespace ops
