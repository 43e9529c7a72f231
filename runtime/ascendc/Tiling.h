// Tiling data: how a kernel reads it, and how a host file declares it.

#ifndef OPC_RUNTIME_ASCENDC_TILING_H
#define OPC_RUNTIME_ASCENDC_TILING_H

#include "runtime/ascendc/Types.h"

#define TILING_KEY_IS(key) (opc::ascendc::machine().tilingKey() == uint64_t(key))
#define REGISTER_TILING_DEFAULT(TYPE) using TilingDataOfRegisterTilingDefault [[maybe_unused]] = TYPE
#define REGISTER_TILING_FOR_TILINGKEY(EXPRESSION, TYPE)
#define COPY_TILING_WITH_STRUCT(TYPE, SOURCE, TARGET)                                                                  \
  __builtin_memcpy((TARGET),                                                                                           \
                   opc::ascendc::machine().tilingData((SOURCE), int64_t(sizeof(TYPE)), opc::ascendc::Place()),         \
                   sizeof(TYPE))
#define COPY_TILING_WITH_ARRAY(TYPE, COUNT, SOURCE, TARGET)                                                            \
  __builtin_memcpy(                                                                                                    \
      (TARGET), opc::ascendc::machine().tilingData((SOURCE), int64_t(sizeof(TYPE)) * (COUNT), opc::ascendc::Place()),  \
      sizeof(TYPE) * (COUNT))
#define GET_TILING_DATA_WITH_STRUCT(TYPE, NAME, ADDRESS)                                                               \
  TYPE NAME;                                                                                                           \
  COPY_TILING_WITH_STRUCT(TYPE, ADDRESS, &NAME)
#define GET_TILING_DATA(NAME, ADDRESS) GET_TILING_DATA_WITH_STRUCT(TilingDataOfRegisterTilingDefault, NAME, ADDRESS)
#define GET_TILING_DATA_PTR_WITH_STRUCT(TYPE, NAME, ADDRESS)                                                           \
  const TYPE *NAME = static_cast<const TYPE *>(                                                                        \
      opc::ascendc::machine().tilingData((ADDRESS), int64_t(sizeof(TYPE)), opc::ascendc::Place()))
#define GET_TILING_DATA_MEMBER(TYPE, MEMBER, NAME, ADDRESS)                                                            \
  decltype(TYPE::MEMBER) NAME =                                                                                        \
      static_cast<const TYPE *>(                                                                                       \
          opc::ascendc::machine().tilingData((ADDRESS), int64_t(sizeof(TYPE)), opc::ascendc::Place()))                 \
          ->MEMBER

// The macros by which a host file declares the structure. A kernel source that includes that file gets the structure
// for GET_TILING_DATA. Host files of projects declare it in optiling; the toolkit writes a header for the kernel that
// has it at global scope, so both are the same here. If opc has the host files, it writes such a header too
// (OPC_TILING_IS_GENERATED) and ignores the header that the kernel includes.
namespace optiling {}
using namespace optiling;
#ifdef OPC_TILING_IS_GENERATED
#define BEGIN_TILING_DATA_DEF(NAME) struct OpcDeclared_##NAME {
#else
#define BEGIN_TILING_DATA_DEF(NAME) struct NAME {
#endif
#define TILING_DATA_FIELD_DEF(TYPE, NAME) TYPE NAME;
#define TILING_DATA_FIELD_DEF_ARR(TYPE, COUNT, NAME) TYPE NAME[COUNT];
#define TILING_DATA_FIELD_DEF_STRUCT(TYPE, NAME) TYPE NAME;
#define END_TILING_DATA_DEF }
#ifdef OPC_TILING_IS_GENERATED
#define REGISTER_TILING_DATA_CLASS(OPERATOR, NAME)
#else
#define REGISTER_TILING_DATA_CLASS(OPERATOR, NAME) using TilingDataOfRegisterTilingDefault = NAME;
#endif

#endif // OPC_RUNTIME_ASCENDC_TILING_H
