// The cube and its copies: DataCopy with Nd2NzParams, InitConstValue, LoadData in two dimensions, Mmad, Fixpipe.
//
//   GM --DataCopy--> A1, B1 --LoadData--> A2, B2 --Mmad--> CO1 --Fixpipe--> UB or GM
//                        C1 --DataCopy--> C2 ---------^
//
// Unsupported forms end the kernel with an error that names them: several matrices in one copy, images of which B2 gets
// the windows, scales that make sums of int8 anything but half, fractals that a Fixpipe leaves in UB.

#ifndef OPC_RUNTIME_ASCENDC_CUBE_H
#define OPC_RUNTIME_ASCENDC_CUBE_H

#include "runtime/ascendc/Copies.h"

#include "runtime/target/Memories.h"

enum class QuantMode_t : uint8_t {
  NoQuant,
  F322F16,
  F322BF16,
  DEQF16,
  VDEQF16,
  QF322B8_PRE,
  VQF322B8_PRE,
  REQ8,
  VREQ8
};

namespace AscendC {

struct Nd2NzParams {
  Nd2NzParams() = default;
  Nd2NzParams(uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t matrixStride, uint16_t pitch,
              uint16_t height, uint16_t rowStride, uint16_t toMatrixStride)
      : ndNum(matrices), nValue(rows), dValue(columns), srcNdMatrixStride(matrixStride), srcDValue(pitch),
        dstNzC0Stride(height), dstNzNStride(rowStride), dstNzMatrixStride(toMatrixStride) {}
  uint16_t ndNum = 0, nValue = 0, dValue = 0, srcNdMatrixStride = 0, srcDValue = 0;
  uint16_t dstNzC0Stride = 0, dstNzNStride = 0, dstNzMatrixStride = 0;
};
template <typename T> struct InitConstValueParams {
  InitConstValueParams() = default;
  InitConstValueParams(uint16_t repeats, uint16_t blocks, uint16_t gap, T value)
      : repeatTimes(repeats), blockNum(blocks), dstGap(gap), initValue(value) {}
  uint16_t repeatTimes = 0, blockNum = 0, dstGap = 0;
  T initValue{};
};
struct LoadData2DParams {
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint8_t sid = 0;
  uint16_t dstGap = 0;
  bool ifTranspose = false;
  uint8_t addrMode = 0;
};
struct LoadData2dTransposeParams {
  LoadData2dTransposeParams() = default;
  LoadData2dTransposeParams(uint16_t start, uint8_t repeats, uint16_t from, uint16_t gap, uint16_t fractalGap,
                            uint8_t mode = 0)
      : startIndex(start), repeatTimes(repeats), srcStride(from), dstGap(gap), dstFracGap(fractalGap), addrMode(mode) {}
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};
/// Windows of an image in L1, the second version. Pads are left, right, top and bottom.
template <typename T> struct LoadData3DParamsV2 {
  uint8_t padList[4] = {0, 0, 0, 0};
  uint16_t l1H = 0, l1W = 0, channelSize = 0, kExtension = 0, mExtension = 0, kStartPt = 0, mStartPt = 0;
  uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
  bool enTranspose = false, enSmallK = false;
  T padValue{};
  bool filterSizeW = false, filterSizeH = false, fMatrixCtrl = false;
};
struct MmadParams {
  uint16_t m = 0, n = 0, k = 0;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;
};
enum class CO2Layout : uint8_t { NZ, ROW_MAJOR };
struct FixpipeConfig {
  CO2Layout format;
};
struct FixpipeParamsM300 {
  uint16_t nSize = 0, mSize = 0, srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};
template <typename T, typename U> using IsSameType = std::is_same<T, U>;

} // namespace AscendC

namespace opc::ascendc {

inline Call cubeCall(const char *name, PipeInstruction::Kind kind, Pipe pipe) {
  Call call;
  call.name = name;
  call.form.kind = kind;
  call.form.pipe = pipe;
  return call;
}

/// Whether a tensor is in a memory of the cube.
template <typename T> bool isIn(const AscendC::LocalTensor<T> &tensor, Memory memory) {
  return memoryAt(tensor.address) == memory;
}

/// The types whose products and copies the simulator supports.
template <typename T>
constexpr bool kIsOperand =
    std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_same_v<T, float> || std::is_same_v<T, int8_t>;
/// The type of sums of their products.
template <typename T> using SumOf = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
template <typename S> void addScales(Call &call, const AscendC::LocalTensor<uint64_t> &scales, AscendC::Place place) {
  static_assert(std::is_same_v<S, int32_t>, "the simulator's Fixpipe has scales for sums of int8");
  expectValue(isIn(scales, Memory::L1), "Fixpipe expects its scales in C1, A1 or B1", place);
  setOperand(call.form.sources[1], call.sources[1], scales);
  // The simulator reads them as pairs of an f32 and zeros.
  call.form.sources[1].type = ElementType::Float32;
}

/// Whether Fixpipe converts sums of type S to D.
template <typename S, typename D>
constexpr bool kIsFixpipe =
    std::is_same_v<S, int32_t> ? std::is_same_v<D, int32_t>
                               : std::is_same_v<S, float> && kIsOperand<D> && !std::is_same_v<D, int8_t>;

template <typename D, typename S>
Call fixpipeCall(const ProgramOperand &to, const OperandValue &value, const AscendC::LocalTensor<S> &from,
                 const AscendC::FixpipeParamsM300 &params, AscendC::CO2Layout layout, AscendC::Place place) {
  const bool isNz = layout == AscendC::CO2Layout::NZ;
  expectForm((isNz || params.ndNum == 1) && !params.isChannelSplit,
             "Fixpipe of more than one matrix, or of split channels", place);
  expectForm(!isNz || to.space == ProgramOperand::GM, "Fixpipe of fractals to another memory than GM", place);
  expectForm(params.unitFlag == 0, "Fixpipe with a unit flag", place);
  const QuantMode_t mode = std::is_same_v<S, int32_t> && std::is_same_v<D, half> ? QuantMode_t::VDEQF16
                           : std::is_same_v<D, half>                             ? QuantMode_t::F322F16
                           : std::is_same_v<D, bfloat16_t>                       ? QuantMode_t::F322BF16
                                                                                 : QuantMode_t::NoQuant;
  expectValue(params.quantPre == mode, "Fixpipe expects the mode of its types in quantPre", place);
  expectValue(isIn(from, Memory::L0C), "Fixpipe expects a source in CO1", place);
  Call call = cubeCall("Fixpipe", PipeInstruction::Fixpipe, Pipe::FIX);
  call.form.destination = to;
  call.destination = value;
  setOperand(call.form.sources[0], call.sources[0], from);
  call.form.relu = params.reluEn;
  call.rows = params.mSize;
  call.count = params.nSize;
  call.sources[0].stride = int64_t(params.srcStride) * kFractalRows * 4;
  // Fractals are counted in blocks of 32 bytes, rows in elements.
  call.form.packed = isNz;
  call.destination.stride = int64_t(params.dstStride) * (isNz ? kFractalRowBytes : int64_t(sizeof(D)));
  return call;
}

template <typename D, typename A, typename B>
Call productCall(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<A> &left,
                 const AscendC::LocalTensor<B> &right, const AscendC::MmadParams &params, AscendC::Place place) {
  expectValue(isIn(dst, Memory::L0C) && isIn(left, Memory::L0A) && isIn(right, Memory::L0B),
              "Mmad expects its result in CO1 and its operands in A2 and B2", place);
  Call call = cubeCall("Mmad", PipeInstruction::Mmad, Pipe::M);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], left);
  setOperand(call.form.sources[1], call.sources[1], right);
  call.rows = params.m;
  call.count = params.n;
  call.depth = params.k;
  call.hasScalar = true;
  return call;
}

} // namespace opc::ascendc

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsOperand<T> || std::is_same_v<T, int32_t>,
                "the simulator's cube has half, bfloat16_t, float and int8_t, and int32_t for biases");
  expectForm(params.ndNum == 1 && params.dstNzNStride == 1,
             "DataCopy to fractals of more than one matrix, or with gaps", place);
  expectValue(isIn(dst, opc::Memory::L1), "DataCopy with Nd2NzParams expects a destination in A1, B1 or C1", place);
  Call call = cubeCall("DataCopy", opc::PipeInstruction::LoadNz, opc::Pipe::MTE2);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], src);
  call.rows = params.nValue;
  call.count = params.dValue;
  call.sources[0].stride = int64_t(params.srcDValue) * int64_t(sizeof(T));
  call.destination.stride = int64_t(params.dstNzC0Stride) * opc::kFractalRowBytes;
  machine().record(call, place);
}

/// UB to L1: blocks of 32 bytes, side by side in L1. L1 to C2: one run of units of 64 bytes.
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
              Place place = Place()) {
  using namespace opc::ascendc;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int32_t>)
    if (isIn(dst, opc::Memory::BT)) {
      expectForm(isIn(src, opc::Memory::L1) && params.blockCount == 1,
                 "DataCopy to C2 from another memory than C1, A1 or B1, or of more than one run", place);
      Call call = cubeCall("DataCopy", opc::PipeInstruction::LoadBias, opc::Pipe::MTE1);
      setOperand(call.form.destination, call.destination, dst);
      setOperand(call.form.sources[0], call.sources[0], src);
      call.count = params.blockLen;
      return machine().record(call, place);
    }
  static_assert(kIsOperand<T> || std::is_same_v<T, int32_t>,
                "Ascend 310B has no DataCopy from UB to UB, use Copy with a mask; from UB to L1 the "
                "simulator has half, bfloat16_t, float and int8_t");
  expectForm(isIn(dst, opc::Memory::L1) && isIn(src, opc::Memory::UB),
             "DataCopy between tiles other than from UB to L1; the chip has none in UB: use Copy with a mask", place);
  expectForm(params.blockLen == 1 && params.dstStride == 0,
             "DataCopy from UB to L1 of rows of more than one block, or with gaps", place);
  Call call = cubeCall("DataCopy", opc::PipeInstruction::LoadNz, opc::Pipe::MTE3);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], src);
  call.rows = params.blockCount;
  call.count = opc::kFractalRowBytes / int64_t(sizeof(T));
  call.sources[0].stride = (int64_t(params.srcStride) + 1) * opc::kFractalRowBytes;
  call.destination.stride = int64_t(params.blockCount) * opc::kFractalRowBytes;
  machine().record(call, place);
}

template <typename T>
void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert((kIsOperand<T> && sizeof(T) > 1) || std::is_same_v<T, int16_t>,
                "InitConstValue has no elements of 8 bits; the simulator's has half, bfloat16_t, float and int16_t");
  expectForm(isIn(dst, opc::Memory::L1), "InitConstValue outside of A1, B1 and C1", place);
  Call call = cubeCall("InitConstValue", opc::PipeInstruction::Fill, opc::Pipe::MTE2);
  setOperand(call.form.destination, call.destination, dst);
  call.rows = params.repeatTimes;
  call.count = params.blockNum;
  call.destination.stride = (int64_t(params.blockNum) + params.dstGap) * opc::kFractalRowBytes;
  call.hasScalar = true;
  call.scalar = registerOf<T>(params.initValue);
  machine().record(call, place);
}

template <typename T>
void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &params,
              Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsOperand<T>, "the simulator's cube has half, bfloat16_t, float and int8_t");
  expectForm(params.addrMode == 0 && params.sid == 0, "LoadData with an address mode or a stream", place);
  expectValue(isIn(src, opc::Memory::L1), "LoadData expects a source in A1 or B1", place);
  expectValue(isIn(dst, opc::Memory::L0A) || isIn(dst, opc::Memory::L0B), "LoadData expects a destination in A2 or B2",
              place);
  expectValue(!params.ifTranspose || sizeof(T) == 2, "LoadData transposes elements of 16 bits", place);
  Call call = cubeCall("LoadData", opc::PipeInstruction::LoadFractals, opc::Pipe::MTE1);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], src);
  call.sources[0].address += int64_t(params.startIndex) * opc::kFractalBytes;
  call.form.transposed = params.ifTranspose;
  call.rows = params.repeatTimes;
  call.sources[0].stride = int64_t(params.srcStride) * opc::kFractalBytes;
  call.destination.stride = (int64_t(params.dstGap) + 1) * opc::kFractalBytes;
  machine().record(call, place);
}

template <typename T>
void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2<T> &params,
              Place place = Place()) {
  using namespace opc::ascendc;
  using N = opc::ImageNumber;
  static_assert(kIsOperand<T>, "the simulator's cube has half, bfloat16_t, float and int8_t");
  expectForm(
      !params.enTranspose && !params.enSmallK && !params.fMatrixCtrl && !params.filterSizeW && !params.filterSizeH,
      "LoadData of windows that is transposed, of small k, with the other image or a filter of 256 and more", place);
  expectValue(isIn(src, opc::Memory::L1), "LoadData expects a source in A1 or B1", place);
  expectForm(isIn(dst, opc::Memory::L0A), "LoadData of windows to another memory than A2", place);
  expectForm(params.channelSize % (opc::kFractalRowBytes / int64_t(sizeof(T))) == 0,
             "LoadData of windows of channels that do not fill blocks of 32 bytes", place);
  Call call = cubeCall("LoadData", opc::PipeInstruction::LoadIm2col, opc::Pipe::MTE1);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], src);
  call.rows = params.mExtension;
  call.count = params.kExtension;
  call.hasPad = true;
  call.pad = registerOf<T>(params.padValue);
  auto set = [&](N number, int64_t value) { call.image[unsigned(number)] = value; };
  set(N::FirstRow, params.mStartPt), set(N::FirstColumn, params.kStartPt), set(N::Channels, params.channelSize);
  set(N::Height, params.l1H), set(N::Width, params.l1W);
  set(N::Left, params.padList[0]), set(N::Right, params.padList[1]);
  set(N::Top, params.padList[2]), set(N::Bottom, params.padList[3]);
  set(N::FilterHeight, params.filterH), set(N::FilterWidth, params.filterW);
  set(N::StrideHeight, params.strideH), set(N::StrideWidth, params.strideW);
  set(N::DilationHeight, params.dilationFilterH), set(N::DilationWidth, params.dilationFilterW);
  machine().record(call, place);
}

/// Squares: a fractal of 16-bit elements, or two of bytes or of floats that follow each other. In B2 the second
/// fractals of squares of floats follow the first ones of all squares.
template <typename T>
void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                           const LoadData2dTransposeParams &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsOperand<T>, "the simulator transposes squares of half, bfloat16_t, float and int8_t");
  constexpr bool isBytes = sizeof(T) == 1, isPair = sizeof(T) != 2;
  expectForm(params.addrMode == 0, "LoadDataWithTranspose with an address mode", place);
  expectValue(isIn(src, opc::Memory::L1), "LoadDataWithTranspose expects a source in A1 or B1", place);
  expectForm(isIn(dst, opc::Memory::L0B) || (!isBytes && isIn(dst, opc::Memory::L0A)),
             "LoadDataWithTranspose to another memory than B2, or A2 for elements of 16 and 32 bits", place);
  const bool isSplit = sizeof(T) == 4 && isIn(dst, opc::Memory::L0B);
  const int64_t gap = isSplit ? int64_t(params.repeatTimes) * (params.dstGap + 1) - 1 : 0;
  expectForm(
      !isPair || params.repeatTimes == 0 ||
          (params.dstFracGap == gap && (isSplit || params.repeatTimes == 1 || params.dstGap >= 1)),
      "LoadDataWithTranspose that puts the fractals of a square elsewhere than the cube has them, or on each other",
      place);
  Call call = cubeCall("LoadDataWithTranspose", opc::PipeInstruction::LoadFractals, opc::Pipe::MTE1);
  setOperand(call.form.destination, call.destination, dst);
  setOperand(call.form.sources[0], call.sources[0], src);
  call.form.transposed = true;
  const int64_t square = (isPair ? 2 : 1) * opc::kFractalBytes;
  call.sources[0].address += int64_t(params.startIndex) * square;
  call.rows = params.repeatTimes;
  call.sources[0].stride = int64_t(params.srcStride) * square;
  // The gap is counted from the end of a first fractal to the next first one.
  call.destination.stride = (int64_t(params.dstGap) + 1) * opc::kFractalBytes;
  machine().record(call, place);
}

template <typename D, typename A, typename B>
void Mmad(const LocalTensor<D> &dst, const LocalTensor<A> &left, const LocalTensor<B> &right, const MmadParams &params,
          Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsOperand<A> && std::is_same_v<A, B> && std::is_same_v<D, SumOf<A>>,
                "the simulator's cube multiplies half, bfloat16_t and float into float, int8_t into int32_t");
  expectForm(!params.cmatrixSource && params.unitFlag == 0 && !params.kDirectionAlign,
             "Mmad from the bias table without a bias, with a unit flag or with kDirectionAlign", place);
  Call call = productCall(dst, left, right, params, place);
  call.scalar = params.cmatrixInitVal ? 1 : 0;
  machine().record(call, place);
}
/// With a bias in C2, at which sums start.
template <typename D, typename A, typename B>
void Mmad(const LocalTensor<D> &dst, const LocalTensor<A> &left, const LocalTensor<B> &right,
          const LocalTensor<D> &bias, const MmadParams &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsOperand<A> && std::is_same_v<A, B> && std::is_same_v<D, SumOf<A>>,
                "the simulator's cube multiplies half, bfloat16_t and float into float, int8_t into int32_t");
  expectForm(params.cmatrixSource && !params.cmatrixInitVal && params.unitFlag == 0 && !params.kDirectionAlign,
             "Mmad with a bias that does not start at it, with a unit flag or with kDirectionAlign", place);
  expectValue(isIn(bias, opc::Memory::BT), "Mmad expects its bias in C2", place);
  Call call = productCall(dst, left, right, params, place);
  setOperand(call.form.sources[2], call.sources[2], bias);
  call.scalar = 1;
  machine().record(call, place);
}

constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};

template <typename D, typename S, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParamsM300 &params,
             Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsFixpipe<S, D>, "the simulator's Fixpipe takes float to float, half, bfloat16_t, int32_t to int32_t");
  // Any other position of the vendor's header silently writes nothing.
  expectForm(isIn(dst, opc::Memory::UB), "Fixpipe to another memory than UB", place);
  opc::ProgramOperand to;
  OperandValue value;
  setOperand(to, value, dst);
  machine().record(fixpipeCall<D>(to, value, src, params, config.format, place), place);
}
template <typename D, typename S, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src, const FixpipeParamsM300 &params,
             Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(kIsFixpipe<S, D>, "the simulator's Fixpipe takes float to float, half, bfloat16_t, int32_t to int32_t");
  opc::ProgramOperand to;
  OperandValue value;
  setOperand(to, value, dst);
  machine().record(fixpipeCall<D>(to, value, src, params, config.format, place), place);
}

/// With a scale of each column, which the call copies to the fixpipe buffer.
template <typename D, typename S, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<D> &dst, const LocalTensor<S> &src, const LocalTensor<uint64_t> &scales,
             const FixpipeParamsM300 &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(std::is_same_v<S, int32_t> && std::is_same_v<D, half>, "the simulator's scales make int32_t half");
  expectForm(isIn(dst, opc::Memory::UB), "Fixpipe to another memory than UB", place);
  opc::ProgramOperand to;
  OperandValue value;
  setOperand(to, value, dst);
  Call call = fixpipeCall<D>(to, value, src, params, config.format, place);
  addScales<S>(call, scales, place);
  machine().record(call, place);
}
template <typename D, typename S, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<D> &dst, const LocalTensor<S> &src, const LocalTensor<uint64_t> &scales,
             const FixpipeParamsM300 &params, Place place = Place()) {
  using namespace opc::ascendc;
  static_assert(std::is_same_v<S, int32_t> && std::is_same_v<D, half>, "the simulator's scales make int32_t half");
  opc::ProgramOperand to;
  OperandValue value;
  setOperand(to, value, dst);
  Call call = fixpipeCall<D>(to, value, src, params, config.format, place);
  addScales<S>(call, scales, place);
  machine().record(call, place);
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_CUBE_H
