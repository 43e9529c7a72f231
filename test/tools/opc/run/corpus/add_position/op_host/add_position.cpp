#include "add_position_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t MAX_COLS = 12000;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  AddPositionTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  if (cols > MAX_COLS) {
    return ge::GRAPH_FAILED;
  }
  tiling.set_cols(cols);
  tiling.set_rows(shape.GetShapeSize() / cols);
  tiling.set_colsAligned((cols + 15) / 16 * 16);
  tiling.set_start(*context->GetAttrs()->GetFloat(0));
  tiling.set_step(*context->GetAttrs()->GetFloat(1));
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
class AddPosition : public OpDef {
public:
  explicit AddPosition(const char *name) : OpDef(name) {
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
    this->Attr("start").AttrType(OPTIONAL).Float(0.0);
    this->Attr("step").AttrType(OPTIONAL).Float(1.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(AddPosition);
} // namespace ops
