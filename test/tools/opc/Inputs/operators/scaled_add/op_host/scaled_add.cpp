#include "register/op_def_registry.h"
#include "scaled_add_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  ScaledAddTilingData tiling;
  const auto &shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t total = shape.GetShapeSize();
  if (shape != context->GetInputShape(1)->GetStorageShape())
    return ge::GRAPH_FAILED;
  uint64_t ub = 0;
  platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
  const uint32_t bytes = GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
  uint32_t sizes[2] = {0, static_cast<uint32_t>(ub / 6 / bytes / 256 * 256)};
  if (total < 4096)
    sizes[1] = 1024;
  const float alpha = *context->GetAttrs()->GetFloat(0);
  tiling.set_total(total);
  tiling.set_sizes(sizes);
  tiling.other.set_unused(~uint64_t(0));
  tiling.set_alpha(alpha);
  context->SetBlockDim(platform.GetCoreNum());
  context->SetTilingKey(alpha != 1.0f);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  size_t *workspaces = context->GetWorkspaceSizes(1);
  workspaces[0] = 0;
  return *context->GetAttrs()->GetStr(1) == 's' ? ge::GRAPH_SUCCESS : *static_cast<ge::graphStatus *>(nullptr);
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext *context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}
} // namespace ge

namespace ops {
#ifdef PRESENCE
constexpr Option kPresence = PRESENCE;
#else
constexpr Option kPresence = REQUIRED;
#endif

class ScaledAdd : public OpDef {
public:
  explicit ScaledAdd(const char *name) : OpDef(name) {
#ifdef NULL_NAME
    this->Input(nullptr);
#elif defined(NULL_SHAPE)
    if (static_cast<gert::Shape *>(nullptr)->GetDimNum() == 2)
      return;
#endif
#ifndef NO_INPUTS
    for (const char *input : {"x", "y"})
      this->Input(input)
          .ParamType(kPresence)
          .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_COMPLEX64})
          .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
#endif
    this->Output("z")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_COMPLEX64})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("alpha").AttrType(OPTIONAL).Float(1.0);
    this->Attr("mode").AttrType(OPTIONAL).String("sum");
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend310b");
  }
};
OP_ADD(ScaledAdd);
} // namespace ops
