#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"

namespace ops {
class TakeRows : public OpDef {
public:
  explicit TakeRows(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32}).FormatList({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32}).FormatList({ge::FORMAT_ND});
    this->Attr("first").AttrType(OPTIONAL).Int(0);
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true).ExtendCfgInfo("opFile.value", "take_rows");
    this->AICore().AddConfig("ascend310b", config);
  }
};
OP_ADD(TakeRows);

// How many rows the caller wants is not known here.
static ge::graphStatus InferShapeOfTakeRows(gert::InferShapeContext *context) {
  gert::Shape *shape = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, shape);
  *shape = *context->GetInputShape(0);
  shape->SetDim(0, ge::UNKNOWN_DIM);
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(TakeRows).InferShape(InferShapeOfTakeRows);
} // namespace ops
