#include "../op_kernel/take_rows_tiling_data.h"
#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "securec.h"
#include "tiling/tiling_api.h"
#include "tiling_base/tiling_templates_registry.h"
#include "tiling_base/tiling_util.h"
#include "util/math_util.h"

using namespace AscendC;

namespace optiling {
using namespace Ops::Math::OpTiling;
struct TakeRowsCompileInfo {};

static ge::graphStatus TilingOfTakeRows(gert::TilingContext *context) {
  const gert::Shape x = EnsureNotScalar(context->GetInputShape(0)->GetStorageShape());
  const gert::Shape y = context->GetOutputShape(0)->GetStorageShape();
  const ge::DataType type = context->GetInputDesc(0)->GetDataType();
  uint32_t size = 0;
  OP_CHECK_IF(!ge::TypeUtils::GetDataTypeLength(type, size), OP_LOGE(context, "no size"), return ge::GRAPH_FAILED);
  const int64_t first = *context->GetAttrs()->GetInt(0), row = x.GetShapeSize() / x.GetDim(0);
  std::cout << "rows of " << Ops::Base::CeilDiv(row * size, 32) << " blocks, "
            << ge::TypeUtils::DataTypeToSerialString(type) << std::endl;
  OP_CHECK_IF(first < 0 || first + y.GetDim(0) > x.GetDim(0),
              OP_LOGE(context->GetNodeName(), "rows %ld to %ld of %ld", first, first + y.GetDim(0), x.GetDim(0)),
              return ge::GRAPH_FAILED);
  auto *data = context->GetTilingData<TakeRowsTilingData>();
  OP_CHECK_NULL_WITH_CONTEXT(context, data);
  if (memset_s(data, sizeof(*data), 0, sizeof(*data)) != EOK)
    return ge::GRAPH_FAILED;
  data->bytes = y.GetShapeSize() * size;
  data->first = first * row * size;
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus ParseOfTakeRows([[maybe_unused]] gert::TilingParseContext *context) {
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(TakeRows).Tiling(TilingOfTakeRows).TilingParse<TakeRowsCompileInfo>(ParseOfTakeRows);
} // namespace optiling
