#include "register/op_def_registry.h"
#include "slice_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  SliceTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const auto *begins = context->GetAttrs()->GetListInt(0);
  const auto *sizes = context->GetAttrs()->GetListInt(1);
  const size_t dims = shape.GetDimNum();
  if (dims > 4 || begins->GetSize() != dims || sizes->GetSize() != dims) {
    return ge::GRAPH_FAILED;
  }
  uint32_t in[4] = {1, 1, 1, 1}, from[4] = {0, 0, 0, 0}, size[4] = {1, 1, 1, 1};
  for (size_t i = 0; i < dims; ++i) {
    in[4 - dims + i] = shape.GetDim(i);
    from[4 - dims + i] = begins->GetData()[i];
    const int64_t wanted = sizes->GetData()[i];
    size[4 - dims + i] = wanted < 0 ? shape.GetDim(i) - begins->GetData()[i] : wanted;
  }
  tiling.set_inDims(in);
  tiling.set_begins(from);
  tiling.set_sizes(size);
  tiling.set_rowBytes(size[3] * ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  context->SetBlockDim(size[0] < 4 ? size[0] : 4);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  const gert::Shape *x = context->GetInputShape(0);
  const auto *begin = context->GetAttrs()->GetListInt(0);
  const auto *size = context->GetAttrs()->GetListInt(1);
  gert::Shape *y = context->GetOutputShape(0);
  *y = *x;
  for (size_t i = 0; i < x->GetDimNum(); ++i) {
    y->SetDim(i, size->GetData()[i] < 0 ? x->GetDim(i) - begin->GetData()[i] : size->GetData()[i]);
  }
  return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Slice : public OpDef {
public:
  explicit Slice(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("begin").ListInt();
    this->Attr("size").ListInt();
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(Slice);
} // namespace ops
