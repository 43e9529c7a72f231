#include "l2_normalize_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  L2NormalizeTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / cols;

  uint64_t ubSize = 0;
  platform_ascendc::PlatformAscendC(context->GetPlatformInfo())
      .GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
  const uint32_t stride = (cols + 7) / 8 * 8;
  uint32_t rowsPerTile = ubSize / 4 / (stride * sizeof(float) * 2);
  rowsPerTile = rowsPerTile > 12 ? 12 : rowsPerTile;
  if (rowsPerTile == 0) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_stride(stride);
  tiling.set_rowsPerTile(rowsPerTile);
  tiling.set_eps(*context->GetAttrs()->GetFloat(0));
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
class L2Normalize : public OpDef {
public:
  explicit L2Normalize(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND});
    this->Attr("eps").AttrType(OPTIONAL).Float(1e-12f);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(L2Normalize);
} // namespace ops
