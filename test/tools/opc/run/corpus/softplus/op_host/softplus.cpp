#include "register/op_def_registry.h"
#include "softplus_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t CORES = 3;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  SoftplusTilingData tiling;
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ubSize = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);

  uint32_t coreNum = CORES;
  const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  const bool isFloat = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT;
  coreNum = total < coreNum ? 1 : coreNum;
  tiling.set_smallCoreDataNum(total / coreNum);
  tiling.set_bigCoreDataNum(total / coreNum + 1);
  tiling.set_bigCoreNum(total % coreNum);
  // A compare takes multiples of 256 bytes.
  tiling.set_ubPartDataNum(ubSize / 3 / 24 / 64 * 64);
  tiling.set_beta(*context->GetAttrs()->GetAttrPointer<float>(0));
  tiling.set_threshold(*context->GetAttrs()->GetAttrPointer<float>(1));
  context->SetTilingKey(isFloat ? 1 : 2);
  context->SetBlockDim(coreNum);
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
class Softplus : public OpDef {
public:
  explicit Softplus(const char *name) : OpDef(name) {
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
    this->Attr("beta").AttrType(OPTIONAL).Float(1.0);
    this->Attr("threshold").AttrType(OPTIONAL).Float(20.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Softplus);
} // namespace ops
