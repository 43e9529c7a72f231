#include "../op_kernel/scaled_add_struct.h"
#include "../op_kernel/scaled_add_tiling_key.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

#ifndef WRONG
#define WRONG 0
#endif

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ScaledAddTilingData *tiling = context->GetTilingData<ScaledAddTilingData>();
  const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  const ge::DataType type = context->GetInputDesc(0)->GetDataType();
  const uint32_t inBlock = type == ge::DT_FLOAT ? 8 : 16;
  uint32_t tiles = total < 1024 ? 1 : type == ge::DT_FLOAT ? 8 : 2;
#if WRONG == 2
  tiles = tiles == 1 ? 1 : 6;
#endif
  const uint32_t tile = ((total + tiles - 1) / tiles + inBlock - 1) / inBlock * inBlock;
  tiling->total = total;
  tiling->tile = tile;
  tiling->scale = *context->GetAttrs()->GetFloat(0);
  context->SetBlockDim(1);
  const uint32_t D_T = static_cast<int>(type), MODE = tile * tiles == total ? SCALED_ADD_WHOLE : SCALED_ADD_TAIL;
  const bool SCALED = tiling->scale != 1.0f;
  if (type == ge::DT_FLOAT) {
    ASCENDC_TPL_SEL_PARAM(context, D_T, tiles, MODE, SCALED);
  } else {
    const uint64_t key = GET_TPL_TILING_KEY(D_T, tiles, MODE, SCALED);
    context->SetTilingKey(key);
  }
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
class ScaledAdd : public OpDef {
public:
  explicit ScaledAdd(const char *name) : OpDef(name) {
    this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("scale").AttrType(OPTIONAL).Float(1.0);

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

// finds 2: OPC-E0806 ascendc_c26
OP_ADD(ScaledAdd);
} // namespace ops
