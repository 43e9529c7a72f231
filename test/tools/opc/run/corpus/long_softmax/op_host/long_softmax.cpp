#include "long_softmax_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

#ifndef WRONG
#define WRONG 0
#endif

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  LongSoftmaxTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / cols;

  const uint32_t cores = rows < 2 ? 1 : 2;
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  tiling.set_tile(1024);
  const uint32_t workCols = (cols + 7) / 8 * 8;
  tiling.set_workCols(workCols);
#if WRONG == 2
  context->GetWorkspaceSizes(1)[0] = workCols * sizeof(float);
#else
  context->GetWorkspaceSizes(1)[0] = cores * workCols * sizeof(float);
#endif
  context->SetBlockDim(cores);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());

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
class LongSoftmax : public OpDef {
public:
  explicit LongSoftmax(const char *name) : OpDef(name) {
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

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(LongSoftmax);
} // namespace ops
