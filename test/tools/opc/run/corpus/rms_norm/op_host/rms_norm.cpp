#include "register/op_def_registry.h"
#include "rms_norm_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  RmsNormTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / cols;

  constexpr uint32_t lanes = 64;
  if (cols > 64 * lanes) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_repeats((cols + lanes - 1) / lanes);
  tiling.set_eps(*context->GetAttrs()->GetFloat(0));
  tiling.set_rowsPerBlock((rows + 1) / 2);
  context->SetBlockDim(rows > 1 ? 2 : 1);
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
class RmsNorm : public OpDef {
public:
  explicit RmsNorm(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("gamma")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("eps").AttrType(OPTIONAL).Float(1e-6f);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(RmsNorm);
} // namespace ops
