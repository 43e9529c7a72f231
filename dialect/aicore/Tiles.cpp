#include "dialect/aicore/Tiles.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace opc::aicore {

// toTarget casts between enumerations. Each enumerator is compared, since a comparison of the last one alone would
// miss two exchanged in the middle.
template <typename A, typename B> static constexpr bool sameNumber(A a, B b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
static_assert(sameNumber(Pipe::S, opc::Pipe::S));
static_assert(sameNumber(Pipe::V, opc::Pipe::V));
static_assert(sameNumber(Pipe::M, opc::Pipe::M));
static_assert(sameNumber(Pipe::MTE1, opc::Pipe::MTE1));
static_assert(sameNumber(Pipe::MTE2, opc::Pipe::MTE2));
static_assert(sameNumber(Pipe::MTE3, opc::Pipe::MTE3));
static_assert(sameNumber(Pipe::FIX, opc::Pipe::FIX));
static_assert(sameNumber(Space::GM, Memory::GM));
static_assert(sameNumber(Space::UB, Memory::UB));
static_assert(sameNumber(Space::L1, Memory::L1));
static_assert(sameNumber(Space::L0A, Memory::L0A));
static_assert(sameNumber(Space::L0B, Memory::L0B));
static_assert(sameNumber(Space::L0C, Memory::L0C));
static_assert(sameNumber(Space::BT, Memory::BT));
static_assert(sameNumber(Rounding::None, RoundingMode::None));
static_assert(sameNumber(Rounding::Rint, RoundingMode::Rint));
static_assert(sameNumber(Rounding::Floor, RoundingMode::Floor));
static_assert(sameNumber(Rounding::Ceil, RoundingMode::Ceil));
static_assert(sameNumber(Rounding::Round, RoundingMode::Round));
static_assert(sameNumber(Rounding::Trunc, RoundingMode::Trunc));
static_assert(sameNumber(Rounding::Odd, RoundingMode::Odd));
static_assert(sameNumber(Comparison::Lt, CompareMode::Lt));
static_assert(sameNumber(Comparison::Gt, CompareMode::Gt));
static_assert(sameNumber(Comparison::Eq, CompareMode::Eq));
static_assert(sameNumber(Comparison::Le, CompareMode::Le));
static_assert(sameNumber(Comparison::Ge, CompareMode::Ge));
static_assert(sameNumber(Comparison::Ne, CompareMode::Ne));
static_assert(sameNumber(Keep::Even, GatherPattern::Even));
static_assert(sameNumber(Keep::Odd, GatherPattern::Odd));
static_assert(sameNumber(Keep::First, GatherPattern::First));
static_assert(sameNumber(Keep::Second, GatherPattern::Second));
static_assert(sameNumber(Keep::Third, GatherPattern::Third));
static_assert(sameNumber(Keep::Fourth, GatherPattern::Fourth));
static_assert(sameNumber(Keep::All, GatherPattern::All));

std::optional<Space> spaceOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return std::nullopt;
  auto space = dyn_cast_or_null<SpaceAttr>(memref.getMemorySpace());
  if (!space)
    return std::nullopt;
  return space.getValue();
}

bool isCubeTile(MemRefType type, Space space, Layout layout) {
  auto attribute = dyn_cast_or_null<SpaceAttr>(type.getMemorySpace());
  return attribute && attribute.getValue() == space && attribute.getLayout() == layout && type.getRank() == 1 &&
         hasUnitInnerStride(type);
}

std::optional<ElementType> elementTypeOf(Type type) {
  if (type.isF16())
    return ElementType::Float16;
  if (type.isF32())
    return ElementType::Float32;
  if (type.isF64())
    return ElementType::Float64;
  if (type.isBF16())
    return ElementType::BFloat16;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return ElementType::Bool;
  case 8:
    return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
  case 16:
    return isUnsigned ? ElementType::UInt16 : ElementType::Int16;
  case 32:
    return isUnsigned ? ElementType::UInt32 : ElementType::Int32;
  case 64:
    return isUnsigned ? ElementType::UInt64 : ElementType::Int64;
  default:
    return std::nullopt;
  }
}

Type mlirTypeOf(ElementType type, MLIRContext *context) {
  auto unsignedType = [&](unsigned width) { return IntegerType::get(context, width, IntegerType::Unsigned); };
  switch (type) {
  case ElementType::Float16:
    return Float16Type::get(context);
  case ElementType::Float32:
    return Float32Type::get(context);
  case ElementType::Float64:
    return Float64Type::get(context);
  case ElementType::BFloat16:
    return BFloat16Type::get(context);
  case ElementType::Int8:
    return IntegerType::get(context, 8);
  case ElementType::UInt8:
    return unsignedType(8);
  case ElementType::Int16:
    return IntegerType::get(context, 16);
  case ElementType::UInt16:
    return unsignedType(16);
  case ElementType::Int32:
    return IntegerType::get(context, 32);
  case ElementType::UInt32:
    return unsignedType(32);
  case ElementType::Int64:
    return IntegerType::get(context, 64);
  case ElementType::UInt64:
    return unsignedType(64);
  case ElementType::Bool:
    return IntegerType::get(context, 1);
  }
  return {};
}

bool hasUnitInnerStride(MemRefType type) {
  if (type.getRank() == 0)
    return true;
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
}

void appendEffects(llvm::ArrayRef<Access> accesses,
                   llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (const Access &access : accesses) {
    if (access.reads)
      effects.emplace_back(MemoryEffects::Read::get(), access.operand, SideEffects::DefaultResource::get());
    if (access.writes)
      effects.emplace_back(MemoryEffects::Write::get(), access.operand, SideEffects::DefaultResource::get());
  }
}

} // namespace opc::aicore
