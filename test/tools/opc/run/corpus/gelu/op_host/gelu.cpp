#include "gelu_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  GeluTilingData tiling;
  const uint64_t totalLength = context->GetInputTensor(0)->GetShapeSize();
  const uint32_t cores = 4;
  const uint32_t align = 16;
  const uint64_t blocks = (totalLength + align - 1) / align;
  const uint32_t used = blocks < cores ? blocks : cores;
  tiling.set_totalLength(totalLength);
  tiling.set_tileLength(1024);
  tiling.set_formerNum(blocks % used == 0 ? used : blocks % used);
  tiling.set_formerLength((blocks + used - 1) / used * align);
  tiling.set_tailLength(blocks / used * align);
  context->SetBlockDim(used);
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
class Gelu : public OpDef {
public:
  explicit Gelu(const char *name) : OpDef(name) {
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

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Gelu);
} // namespace ops
