#include "clamp_range_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

#ifndef WRONG
#define WRONG 0
#endif

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ClampRangeTilingData tiling;
  uint64_t ub;
  platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
  const auto type = context->GetInputTensor(0)->GetDataType();
  const uint32_t bytes = type == ge::DT_FLOAT || type == ge::DT_INT32 ? 4 : 2;
#if WRONG == 1
  const uint32_t buffers = 3; // the fourth is forgotten
#else
  const uint32_t buffers = 4;
#endif
  tiling.set_length(context->GetInputTensor(0)->GetShapeSize());
  tiling.set_tile(ub / buffers / 256 * 256 / bytes);
  const float *low = context->GetAttrs()->GetFloat(0);
  const float *high = context->GetAttrs()->GetAttrPointer<float>(1);
  if (*low > *high) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_minValue(*low);
  tiling.set_maxValue(*high);
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
class ClampRange : public OpDef {
public:
  explicit ClampRange(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("min_value").AttrType(OPTIONAL).Float(-1.0);
    this->Attr("max_value").AttrType(OPTIONAL).Float(1.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(ClampRange);
} // namespace ops
