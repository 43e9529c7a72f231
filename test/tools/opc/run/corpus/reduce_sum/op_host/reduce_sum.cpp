#include "reduce_sum_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ReduceSumTilingData tiling;
  const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
  const uint32_t rows = shape.GetShapeSize() / cols;

  const uint32_t bytes = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT ? 4 : 2;
  tiling.set_rows(rows);
  tiling.set_cols(cols);
  // Sixteen rows at a time, so that cores store whole blocks.
  const uint32_t groups = (rows + 15) / 16;
  const uint32_t cores = groups < 4 ? groups : 4;
  tiling.set_rowsPerCore((groups + cores - 1) / cores * 16);
  tiling.set_alignedCols((cols * bytes + 31) / 32 * 32 / bytes);
  context->SetBlockDim((groups + (groups + cores - 1) / cores - 1) / ((groups + cores - 1) / cores));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *x = context->GetInputShape(0);
  gert::Shape *y = context->GetOutputShape(0);
  y->SetDimNum(x->GetDimNum() - 1);
  for (size_t i = 0; i + 1 < x->GetDimNum(); ++i) {
    y->SetDim(i, x->GetDim(i));
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class ReduceSum : public OpDef {
public:
  explicit ReduceSum(const char *name) : OpDef(name) {
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

OP_ADD(ReduceSum);
} // namespace ops
