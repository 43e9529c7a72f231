// Reads every kind of attribute, an input that may be missing, its values, descriptions and compile info.
#include "../op_kernel/attributes_of_all_tiling.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct CompileInfo {
  uint32_t cores;
};

static ge::graphStatus TilingOf(gert::TilingContext *context) {
  auto *data = context->GetTilingData<AttributesOfAllTiling>();
  const auto *info = context->GetCompileInfo<CompileInfo>();
  const gert::RuntimeAttrs *attrs = context->GetAttrs();
  if (!data || !info || !attrs || attrs->GetAttrNum() != 7)
    return ge::GRAPH_FAILED;
  int32_t *next = data->values;
  *next++ = int32_t(*attrs->GetInt(0));
  *next++ = int32_t(*attrs->GetFloat(1) * 4);
  *next++ = *attrs->GetBool(2) ? 1 : 0;
  *next++ = attrs->GetStr(3)[0];
  *next++ = int32_t(strlen(attrs->GetAttrPointer<char>(3)));
  const auto *integers = attrs->GetListInt(4);
  *next++ = int32_t(integers->GetSize());
  for (size_t i = 0; i < 2; ++i)
    *next++ = int32_t(integers->GetData()[i]);
  const auto *reals = attrs->GetListFloat(5);
  *next++ = int32_t(reals->GetSize());
  *next++ = int32_t(reals->GetData()[1] * 8);
  const auto *truths = attrs->GetListBool(6);
  *next++ = int32_t(truths->GetSize());
  *next++ = truths->GetData()[0];
  *next++ = truths->GetData()[1];
  // The missing input: no shape, no description, no tensor.
  const gert::StorageShape *shape = context->GetOptionalInputShape(1);
  const gert::Tensor *axes = context->GetOptionalInputTensor(1);
  *next++ = shape ? int32_t(shape->GetStorageShape().GetShapeSize()) : -1;
  *next++ = axes ? axes->GetData<int32_t>()[0] : -1;
  *next++ = context->GetOptionalInputDesc(1) ? int32_t(context->GetOptionalInputDesc(1)->GetDataType()) : -1;
  *next++ = int32_t(context->GetInputDesc(0)->GetStorageFormat());
  *next++ = int32_t(context->GetInputDesc(0)->GetDataType());
  *next++ = int32_t(context->GetOutputDesc(0)->GetDataType());
  *next++ = int32_t(context->GetInputShape(0)->GetOriginShape().GetDimNum());
  *next++ = int32_t(info->cores);
  while (next != data->values + 24)
    *next++ = -7;
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus ParseOf(gert::TilingParseContext *context) {
  auto *info = context->GetCompiledInfo<CompileInfo>();
  info->cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNum();
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(AttributesOfAll).Tiling(TilingOf).TilingParse<CompileInfo>(ParseOf);
} // namespace optiling

namespace ops {
static ge::graphStatus InferShapeOf(gert::InferShapeContext *context) {
  gert::Shape *z = context->GetOutputShape(0);
  z->SetDimNum(1);
  z->SetDim(0, 24);
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(AttributesOfAll).InferShape(InferShapeOf);

class AttributesOfAll : public OpDef {
public:
  explicit AttributesOfAll(const char *name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_NCHW, ge::FORMAT_NCHW, ge::FORMAT_ND}); // of two rows, the one without a format counts
    this->Input("axes").ParamType(OPTIONAL).DataTypeList({ge::DT_INT32, ge::DT_INT64}).ValueDepend(OPTIONAL);
    this->Input("same").ParamType(OPTIONAL).Follow("x");
    this->Output("z").ParamType(REQUIRED).DataTypeList({ge::DT_INT32}).FormatList({ge::FORMAT_ND});
    this->Attr("whole").AttrType(OPTIONAL).Int(-3);
    this->Attr("real").AttrType(OPTIONAL).Float(0.25f);
    this->Attr("truth").AttrType(OPTIONAL).Bool(true);
    this->Attr("text").AttrType(REQUIRED).String();
    this->Attr("integers").AttrType(OPTIONAL).ListInt({5, -6});
    this->Attr("reals").AttrType(OPTIONAL).ListFloat({0.5f, 1.5f, 2.5f});
    this->Attr("truths").AttrType(OPTIONAL).ListBool({false, true});
    this->AICore().AddConfig("ascend310b");
  }
};
OP_ADD(AttributesOfAll);
} // namespace ops
