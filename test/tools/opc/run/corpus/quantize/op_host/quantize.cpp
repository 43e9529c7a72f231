#include "quantize_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  QuantizeTilingData tiling;
  const uint32_t total = context->GetInputTensor(0)->GetShapeSize();
  const float scale = *context->GetAttrs()->GetFloat(0);
  const int64_t zero = *context->GetAttrs()->GetInt(1);
  if (scale == 0.0f) {
    return ge::GRAPH_FAILED;
  }
  // Whole blocks of 32 results for each core, so that cores write no block together.
  const uint32_t perCore = (total + 3) / 4;
  tiling.set_total(total);
  tiling.set_perCore((perCore + 31) / 32 * 32);
  tiling.set_tile(3072);
  tiling.set_inverse(1.0f / scale);
  tiling.set_zero(static_cast<float>(zero));
  context->SetBlockDim((total + (perCore + 31) / 32 * 32 - 1) / ((perCore + 31) / 32 * 32));
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
class Quantize : public OpDef {
public:
  explicit Quantize(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_INT8, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("scale").AttrType(REQUIRED).Float();
    this->Attr("zero_point").AttrType(OPTIONAL).Int(0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Quantize);
} // namespace ops
