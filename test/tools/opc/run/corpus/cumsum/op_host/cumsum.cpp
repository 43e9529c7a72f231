#include "cumsum_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t PART = 1024;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  CumsumTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t rows = shape.GetDim(0);
  const uint32_t cols = rows == 0 ? 0 : shape.GetShapeSize() / rows;
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_part(PART);
  tiling.set_exclusive(*context->GetAttrs()->GetBool(0));
  tiling.set_reverse(*context->GetAttrs()->GetBool(1));
  context->SetBlockDim((cols + PART - 1) / PART);
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
class Cumsum : public OpDef {
public:
  explicit Cumsum(const char *name) : OpDef(name) {
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
    this->Attr("exclusive").AttrType(OPTIONAL).Bool(false);
    this->Attr("reverse").AttrType(OPTIONAL).Bool(false);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Cumsum);
} // namespace ops
