#include "graph/utils/type_utils.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "vec_add_tiling.h"
#include <algorithm>

namespace optiling {
constexpr uint32_t BLOCK_SIZE = 32;
constexpr uint32_t BUFFER_NUM = 2;
static ge::graphStatus TilingFunc(gert::TilingContext *context) {
  VecAddTilingData tiling;
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ubSize = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
  uint32_t coreNum = platform.GetCoreNum();
  const uint32_t total = context->GetInputTensor(0)->GetShapeSize();
  uint32_t typeBytes = 0;
  ge::TypeUtils::GetDataTypeLength(context->GetInputDesc(0)->GetDataType(), typeBytes);

  // Three queues of two buffers; int8 has three buffers of half besides.
  const bool isInt8 = context->GetInputDesc(0)->GetDataType() == ge::DT_INT8;
  const uint32_t parts = isInt8 ? 3 * BUFFER_NUM + 3 * 2 : 3 * BUFFER_NUM;
  const uint32_t tileDataNum = ubSize / BLOCK_SIZE / parts * BLOCK_SIZE / typeBytes;
  const uint32_t blockDataNum = BLOCK_SIZE / typeBytes;
  const uint32_t blocks = (total + blockDataNum - 1) / blockDataNum;
  coreNum = std::max<uint32_t>(1, std::min(coreNum, blocks));
  const uint32_t smallBlocks = blocks / coreNum;
  tiling.set_smallCoreDataNum(smallBlocks * blockDataNum);
  tiling.set_bigCoreDataNum((smallBlocks + 1) * blockDataNum);
  tiling.set_bigCoreNum(blocks % coreNum);
  tiling.set_tileDataNum(tileDataNum);
  tiling.set_total(total);
  context->SetBlockDim(coreNum);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
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
class VecAdd : public OpDef {
public:
  explicit VecAdd(const char *name) : OpDef(name) {
    this->Input("x1")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT16, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT16, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_INT16, ge::DT_INT8})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
  }
};

OP_ADD(VecAdd);
} // namespace ops
