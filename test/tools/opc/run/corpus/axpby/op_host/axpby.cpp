#include "axpby_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
const uint32_t BLOCK_DIM = 8;
const uint32_t TILE_NUM = 4;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  AxpbyTilingData tiling;
  const uint32_t totalLength = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  const uint32_t align = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16 ? 16 : 8;
  const uint32_t perBlock = (totalLength + BLOCK_DIM - 1) / BLOCK_DIM;
  const uint32_t blockLength = (perBlock + align - 1) / align * align;
  const uint32_t perTile = (blockLength + TILE_NUM - 1) / TILE_NUM;
  const uint32_t tileLength = (perTile + align - 1) / align * align;
  tiling.set_totalLength(totalLength);
  tiling.set_blockLength(blockLength);
  tiling.set_tileLength(tileLength);
  tiling.set_alpha(*context->GetAttrs()->GetFloat(0));
  tiling.set_beta(*context->GetAttrs()->GetFloat(1));
  context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
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
class Axpby : public OpDef {
public:
  explicit Axpby(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("y0")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("alpha").AttrType(OPTIONAL).Float(1.0);
    this->Attr("beta").AttrType(OPTIONAL).Float(1.0);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Axpby);
} // namespace ops
