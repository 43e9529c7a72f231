#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "where_tiling.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  WhereTilingData tiling;
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ubSize = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);

  const auto *shape = context->GetInputShape(1);
  uint32_t totalLength = 1;
  for (size_t i = 0; i < shape->GetStorageShape().GetDimNum(); ++i) {
    totalLength *= shape->GetStorageShape().GetDim(i);
  }
  const uint32_t bytes = context->GetInputDesc(1)->GetDataType() == ge::DT_FLOAT16 ? 2 : 4;
  // In bytes for each element, buffers twice: the condition, x1, x2, y; once: the half, and one bit.
  tiling.set_tileLength(ubSize / (2 + 3 * 2 * bytes + 2 + 1) / 256 * 256);
  tiling.set_totalLength(totalLength);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  *context->GetOutputShape(0) = *context->GetInputShape(1);
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Where : public OpDef {
public:
  explicit Where(const char *name) : OpDef(name) {
    this->Input("condition")
        .ParamType(REQUIRED)
        .DataType({ge::DT_BOOL, ge::DT_BOOL})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x1")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Where);
} // namespace ops
