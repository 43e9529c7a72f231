// Texts of the helpers. Gaps of DataCopyPad lie between the end of a row and the start of the next:
// bytes in GM, blocks of 32 bytes in UB; kernels say how far the starts of rows lie apart.

#include "lowering/emit/ascendc/Helpers.h"

#include "llvm/ADT/SmallVector.h"

using namespace opc;

namespace {
struct HelperText {
  llvm::StringLiteral name, text;
};
} // namespace

static constexpr HelperText kTexts[] = {
    {"Min", R"(__aicore__ inline int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; })"},
    {"Max", R"(__aicore__ inline int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; })"},
    {"FloorDiv", R"(__aicore__ inline int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
})"},
    {"CeilDiv", R"(__aicore__ inline int64_t CeilDiv(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a % b < 0) == (b < 0));
})"},
    {"MinFloat", R"(// NaN where one of them is; -0 is the lesser zero.
__aicore__ inline float MinFloat(float a, float b) {
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : 1.0f / a < 1.0f / b ? a : b;
})"},
    {"MaxFloat", R"(// NaN where one of them is; +0 is the greater zero.
__aicore__ inline float MaxFloat(float a, float b) {
  return a != a ? a : b != b ? b : a > b ? a : b > a ? b : 1.0f / a > 1.0f / b ? a : b;
})"},
    {"FromBits", R"(template <typename T, typename Bits>
__aicore__ inline T FromBits(Bits bits) { return *reinterpret_cast<const T *>(&bits); })"},
    {"WholeVectors", R"(// A count rounded up to whole vectors of 256 bytes.
template <typename T>
__aicore__ inline int64_t WholeVectors(int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  return (count + lanes - 1) / lanes * lanes;
})"},
    {"Row", R"(// One row of so many bytes.
__aicore__ inline AscendC::DataCopyExtParams Row(int64_t bytes) { return {1, static_cast<uint32_t>(bytes), 0, 0, 0}; })"},
    {"RowsIn", R"(// Rows from GM to UB; their starts lie gmPitch and ubPitch bytes apart.
__aicore__ inline AscendC::DataCopyExtParams RowsIn(int64_t rows, int64_t bytes, int64_t gmPitch, int64_t ubPitch) {
  return {static_cast<uint16_t>(rows), static_cast<uint32_t>(bytes), static_cast<uint32_t>(gmPitch - bytes),
          static_cast<uint32_t>((ubPitch - (bytes + 31) / 32 * 32) / 32), 0};
})"},
    {"RowsOut", R"(// Rows from UB to GM; their starts lie ubPitch and gmPitch bytes apart.
__aicore__ inline AscendC::DataCopyExtParams RowsOut(int64_t rows, int64_t bytes, int64_t ubPitch, int64_t gmPitch) {
  return {static_cast<uint16_t>(rows), static_cast<uint32_t>(bytes),
          static_cast<uint32_t>((ubPitch - (bytes + 31) / 32 * 32) / 32), static_cast<uint32_t>(gmPitch - bytes), 0};
})"},
    {"NoPad", R"(template <typename T>
__aicore__ inline AscendC::DataCopyPadExtParams<T> NoPad() { return {false, 0, 0, static_cast<T>(0)}; })"},
    {"PadRow", R"(// Fills a row of so many bytes up to whole blocks of 32.
template <typename T>
__aicore__ inline AscendC::DataCopyPadExtParams<T> PadRow(int64_t bytes, T value) {
  return {true, 0, static_cast<uint8_t>((32 - bytes % 32) % 32 / static_cast<int64_t>(sizeof(T))), value};
})"},
    {"Read", R"(template <typename T>
__aicore__ inline T Read(const AscendC::LocalTensor<T> &tile, int64_t index) {
  return tile.GetValue(static_cast<uint32_t>(index));
})"},
};

llvm::StringRef HelperSet::need(Helper helper) {
  needed.insert(helper);
  return kTexts[static_cast<size_t>(helper)].name;
}

std::vector<std::string> HelperSet::lines() const {
  std::vector<std::string> result;
  for (Helper helper : needed) {
    llvm::SmallVector<llvm::StringRef> text;
    kTexts[static_cast<size_t>(helper)].text.split(text, '\n');
    for (llvm::StringRef line : text)
      result.push_back(line.str());
    result.emplace_back();
  }
  return result;
}

std::vector<llvm::StringRef> HelperSet::names() {
  std::vector<llvm::StringRef> result;
  for (const HelperText &helper : kTexts)
    result.push_back(helper.name);
  return result;
}
