#include "mse_loss_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include <cstring>

#ifndef WRONG
#define WRONG 0
#endif

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  MseLossTilingData tiling;
  const uint32_t total = context->GetInputTensor(0)->GetShapeSize();
  const char *reduction = context->GetAttrs()->GetStr(0);
  tiling.set_total(total);
  tiling.set_tile(2048);
  tiling.set_factor(1.0f);
  if (strcmp(reduction, "none") == 0) {
    context->SetTilingKey(1);
  } else if (strcmp(reduction, "sum") == 0) {
    context->SetTilingKey(2);
  } else if (strcmp(reduction, "mean") == 0) {
#if WRONG == 1
    // finds 1: wrong result
    tiling.set_factor(1 / total);
#else
    tiling.set_factor(1.0f / total);
#endif
    context->SetTilingKey(2);
  } else {
    return ge::GRAPH_FAILED;
  }
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  if (strcmp(context->GetAttrs()->GetStr(0), "none") == 0) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
  }
  context->GetOutputShape(0)->SetDimNum(1);
  context->GetOutputShape(0)->SetDim(0, 1);
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class MseLoss : public OpDef {
public:
  explicit MseLoss(const char *name) : OpDef(name) {
    this->Input("predict")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("label")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("reduction").AttrType(OPTIONAL).String("mean");
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(MseLoss);
} // namespace ops
