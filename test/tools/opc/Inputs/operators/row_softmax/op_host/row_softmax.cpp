// Softmax of rows by the kernel library, whose tiling and temporary memory the host computes. ARRAY and CUBE make it
// use what is refused.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowSoftmaxTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, columns);
TILING_DATA_FIELD_DEF(uint32_t, temporary);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
#ifdef CUBE
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
#endif
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(RowSoftmax, RowSoftmaxTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  RowSoftmaxTilingData tiling;
  const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
  const uint32_t size = ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
  const uint32_t columns = shape.GetDim(1), rows = shape.GetDim(0);
#ifdef ARRAY
  uint32_t sizes[rows] = {};
  tiling.set_rows(sizes[0]);
#endif
  const ge::Shape one({1, int64_t(columns)});
  tiling.set_rows(rows);
  tiling.set_columns(columns);
  tiling.set_temporary(AscendC::GetSoftMaxMinTmpSize(one, size, false));
  AscendC::SoftMaxTilingFunc(one, size, AscendC::GetSoftMaxMaxTmpSize(one, size, false), tiling.softmax);
#ifdef CUBE
  matmul_tiling::MatmulApiTiling(platform_ascendc::PlatformAscendC(context->GetPlatformInfo())).SetDim(1);
#endif
  if (context->GetInputTensor(0)->GetData<float>()[0] > 1e9f)
    return ge::GRAPH_FAILED;
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class RowSoftmax : public OpDef {
public:
  explicit RowSoftmax(const char *name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend310b");
  }
};
OP_ADD(RowSoftmax);
} // namespace ops
