#include "leaky_relu_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

#ifndef WRONG
#define WRONG 0
#endif

namespace optiling {
constexpr uint32_t TILE = 8192;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  LeakyReluTilingData tiling;
  const uint32_t totalLength = context->GetInputTensor(0)->GetShapeSize();
  const bool small = totalLength <= TILE;
  const uint32_t tileNum = small ? 1 : (totalLength + TILE - 1) / TILE;
  tiling.set_totalLength(totalLength);
  tiling.set_tileNum(tileNum);
  tiling.set_tileLength(small ? (totalLength + 31) / 32 * 32 : TILE);
#if WRONG == 1
  tiling.set_lastTileLength(totalLength % TILE);
#else
  tiling.set_lastTileLength(totalLength - (tileNum - 1) * TILE);
#endif
  tiling.set_negativeSlope(*context->GetAttrs()->GetFloat(0));
  context->SetTilingKey(small ? 10 : 20);
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
class LeakyRelu : public OpDef {
public:
  explicit LeakyRelu(const char *name) : OpDef(name) {
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
    this->Attr("negative_slope").AttrType(OPTIONAL).Float(0.01);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(LeakyRelu);
} // namespace ops
