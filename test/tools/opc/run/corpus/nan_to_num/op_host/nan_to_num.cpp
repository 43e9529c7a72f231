#include "nan_to_num_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  NanToNumTilingData tiling;
  const gert::RuntimeAttrs *attrs = context->GetAttrs();
  const bool isHalf = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
  tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.set_tile(2048);
  tiling.set_nan(*attrs->GetFloat(0));
  const float most = isHalf ? 65504.0f : 3.4028234663852886e38f;
  tiling.set_posinf(attrs->GetFloat(1) != nullptr && *attrs->GetFloat(1) < most ? *attrs->GetFloat(1) : most);
  tiling.set_neginf(attrs->GetFloat(2) != nullptr && *attrs->GetFloat(2) > -most ? *attrs->GetFloat(2) : -most);
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
class NanToNum : public OpDef {
public:
  explicit NanToNum(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("nan").AttrType(OPTIONAL).Float(0.0);
    this->Attr("posinf").AttrType(OPTIONAL).Float(3.4028234663852886e38);
    this->Attr("neginf").AttrType(OPTIONAL).Float(-3.4028234663852886e38);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(NanToNum);
} // namespace ops
