#include "concat_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ConcatTilingData tiling;
  const gert::Shape &first = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape &second = context->GetInputShape(1)->GetStorageShape();
  const size_t last = first.GetDimNum() - 1;
  for (size_t i = 0; i < last; ++i) {
    if (first.GetDim(i) != second.GetDim(i)) {
      return ge::GRAPH_FAILED;
    }
  }
  const bool isHalf = ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()) == 2;
  tiling.set_rows(first.GetShapeSize() / first.GetDim(last));
  tiling.set_cols1(first.GetDim(last));
  tiling.set_cols2(second.GetDim(last));
  tiling.set_rowsAtOnce(6);
  context->SetTilingKey(isHalf ? 2 : 4);
  context->SetBlockDim(1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *x1 = context->GetInputShape(0);
  const gert::Shape *x2 = context->GetInputShape(1);
  gert::Shape *y = context->GetOutputShape(0);
  *y = *x1;
  const size_t last = x1->GetDimNum() - 1;
  y->SetDim(last, x1->GetDim(last) + x2->GetDim(last));
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Concat : public OpDef {
public:
  explicit Concat(const char *name) : OpDef(name) {
    this->Input("x1")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_INT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_INT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_INT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Concat);
} // namespace ops
