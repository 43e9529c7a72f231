// Follows undefined bytes through each form of instruction.

#include "runtime/device/sim/sanitize/UndefinedCheck.h"

#include "runtime/device/sim/launch/Capture.h"
#include "runtime/device/sim/numerics/Numerics.h"
#include "runtime/target/Half.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace opc::sim {

UndefinedCheck::UndefinedCheck(const Launch &launch, const uint8_t *ub)
    : launch(launch), ub(ub), undefined(launch.onChipBytes()), stored(launch.tensors.size()) {
}

bool UndefinedCheck::blockStarts(int64_t, int64_t) {
  undefined.reset();
  complements.reset();
  return true;
}

static bool isInUb(const SimAccess &access) {
  return access.operand->space == ProgramOperand::UB;
}

static int64_t sizeOf(const SimAccess &access) {
  return elementSize(access.operand->type);
}

static bool isLogic(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::vand || intrinsic == Intrinsic::vor || intrinsic == Intrinsic::vxor ||
         intrinsic == Intrinsic::vnot;
}

/// 1 for intrinsics that find the largest element, -1 for the smallest, 0 for others.
static int signOfExtreme(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vmax:
  case Intrinsic::vreduce_max:
  case Intrinsic::vreduce_repeat_max:
  case Intrinsic::vreduce_block_max:
    return 1;
  case Intrinsic::vmin:
  case Intrinsic::vreduce_min:
  case Intrinsic::vreduce_repeat_min:
  case Intrinsic::vreduce_block_min:
    return -1;
  default:
    return 0;
  }
}

/// The value of an element of the types of these intrinsics; a NaN for others.
static double numberAt(ElementType type, const uint8_t *element) {
  auto as = [element](auto value) {
    std::memcpy(&value, element, sizeof value);
    return value;
  };
  switch (type) {
  case ElementType::Float16:
    return double(toFloat(as(Half())));
  case ElementType::Float32:
    return double(as(0.0f));
  case ElementType::Int16:
    return as(int16_t(0));
  case ElementType::Int32:
    return as(int32_t(0));
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

uint32_t UndefinedCheck::read(const SimInstruction &op, const SimAccess &access, int64_t begin, int64_t end) {
  const int64_t found = undefined.first(begin, end);
  return found < 0 ? 0 : undefined.originOf(found, op.index, access.operand->buffer);
}

void UndefinedCheck::write(int64_t begin, int64_t end, uint32_t origin, Fill fill) {
  if (origin == 0)
    return undefined.define(begin, end);
  undefined.undefine(begin, end, origin, fill);
}

/// Writes an element that an offset or a bit of a mask has picked. In a row with one element each copy equals the
/// element itself.
void UndefinedCheck::writePicked(const SimInstruction &op, const SimAccess &from, int64_t begin, int64_t at) {
  const int64_t size = sizeOf(from);
  const uint32_t origin = read(op, from, begin, begin + size);
  const Fill fill = origin == 0 ? Fill::Anything : undefined.fillOf(begin, begin + size);
  write(at, at + size, fill == Fill::OfElement ? 0 : origin, fill);
}

uint32_t UndefinedCheck::wordAt(const SimAccess &access, int64_t index) const {
  uint32_t word;
  std::memcpy(&word, ub + access.address + index * int64_t(sizeof word), sizeof word);
  return word;
}

UndefinedCheck::Use UndefinedCheck::useOf(const SimInstruction &op, const SimAccess &access, int64_t address,
                                          const char *what) {
  return {op.instruction,
          op.index,
          access.operand,
          address,
          undefined.originOf(address, op.index, access.operand->buffer),
          what};
}

bool UndefinedCheck::report(const Use &use) {
  const UndefinedBytes::Origin &origin = undefined.origin(use.origin);
  auto nameOf = [this](uint16_t buffer) { return "buffer '" + printable(launch.program.buffers[buffer].name) + "'"; };
  const bool isFill = origin.fill != Fill::Anything;
  const std::string why = isFill ? std::string("a copy filled with the first element of its row")
                          : origin.previous == kNoBuffer ? std::string("nothing has written")
                                                         : "were last written through " + nameOf(origin.previous);
  const bool isDirect = origin.reader == use.index;
  Diagnostic &diagnostic =
      launch.error(Code::E0566, *use.instruction,
                   launch.describe(*use.instruction) + " expects " + launch.describe(*use.operand) + " to hold " +
                       use.what + ", found bytes from " + std::to_string(use.address) + " that " +
                       (isDirect ? "" : "depend on bytes that ") + why,
                   "init_c3",
                   isFill ? "count the elements of the row alone, or let DataCopyPad fill its last block with a value"
                          : "write the bytes before, or leave them out of what is stored");
  if (!isDirect)
    launch.note(diagnostic, launch.program.instructions[origin.reader],
                "reads bytes from " + std::to_string(origin.address) + " of " + nameOf(origin.buffer) + " that " + why);
  return false;
}

/// The bytes of a copy's row that are in its tensor, and not after its end.
int64_t UndefinedCheck::bytesInTensor(const SimAccess &global, int64_t row) const {
  const int64_t left = launch.tensors[global.operand->tensor].bytes - (global.address + row * global.stride);
  return std::clamp<int64_t>(left, 0, global.rowBytes);
}

/// Checks an access whose bytes leave UB.
bool UndefinedCheck::use(const SimInstruction &op, const SimAccess &access, const char *what) {
  for (int64_t row = 0; row < access.rows; ++row) {
    const int64_t begin = access.address + row * access.stride;
    const int64_t found = undefined.first(begin, begin + access.rowBytes);
    if (found >= 0)
      return report(useOf(op, access, found, what));
  }
  return true;
}

/// Keeps which bytes of a tensor are undefined after a store; those after its end are lost.
void UndefinedCheck::store(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[op.numAccesses - 1];
  Intervals &memory = stored[to.operand->tensor];
  for (int64_t row = 0; row < from.rows; ++row) {
    const int64_t target = to.address + row * to.stride, begin = from.address + row * from.stride;
    const int64_t end = begin + bytesInTensor(to, row);
    int64_t at = begin;
    auto keep = [&](int64_t next, uint32_t number) {
      // Atomic addition to an undefined element leaves it undefined.
      if (next > at && (number != 0 || !op.instruction->atomicAdd))
        memory.assign(target + at - begin, target + next - begin, number);
      at = next;
    };
    for (int64_t found = undefined.first(begin, end); found >= 0; found = undefined.first(at, end)) {
      keep(found, 0);
      const auto known =
          std::find_if(stores.begin(), stores.end(), [&](const Use &use) { return use.index == op.index; });
      const auto number = uint32_t(known - stores.begin()) + 1;
      if (known == stores.end())
        stores.push_back(useOf(op, from, found, "what it stores"));
      while (found < end && undefined.first(found, found + 1) >= 0)
        ++found;
      keep(found, number);
    }
    keep(end, 0);
  }
}

/// Checks that the scalar unit reads no memory to which undefined bytes were stored.
bool UndefinedCheck::readMemory(const SimAccess &global) {
  uint32_t number = 0;
  stored[global.operand->tensor].forRanges(global.address, global.end(),
                                           [&](int64_t, int64_t, uint32_t found) { number = number ? number : found; });
  return number == 0 || report(stores[number - 1]);
}

bool UndefinedCheck::launchEnds() {
  uint32_t number = 0;
  for (size_t i = 0; i < stored.size(); ++i)
    stored[i].forRanges(0, launch.tensors[i].bytes, [&](int64_t, int64_t, uint32_t found) {
      number = found != 0 && (number == 0 || found < number) ? found : number;
    });
  return number == 0 || report(stores[number - 1]);
}

/// A copy leaves the padding of a row and the end of its last block undefined, unless it has a padding value, and
/// so are bytes that it reads after the end of its tensor. Without padding, copies of the row's first element fill
/// the block.
void UndefinedCheck::load(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  for (int64_t row = 0; row < to.rows && to.rowBytes > 0; ++row) {
    const int64_t begin = to.address + row * to.stride, size = sizeOf(from);
    const int64_t end = (begin + to.rowBytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    const int64_t first = begin + op.padBefore * size, inTensor = bytesInTensor(from, row);
    undefined.define(begin, end);
    if (op.instruction->pad == kNoRegister) {
      const bool isFilled = op.padBefore == 0 && op.padAfter == 0 && inTensor >= size;
      const Fill fill = from.rowBytes == size ? Fill::OfElement : Fill::OfRow;
      undefined.undefine(begin, first, 0);
      undefined.undefine(first + from.rowBytes, end, 0, isFilled ? fill : Fill::Anything);
    }
    if (inTensor < from.rowBytes)
      undefined.undefine(first + inTensor, first + from.rowBytes, 0);
    const int64_t source = from.address + row * from.stride;
    stored[from.operand->tensor].forRanges(source, source + inTensor, [&](int64_t low, int64_t high, uint32_t number) {
      if (number == 0)
        return;
      undefined.undefine(first + std::max(low, source) - source, first + std::min(high, source + inTensor) - source, 0);
      if (low < source + size)
        undefined.forgetFill(first + from.rowBytes, end);
    });
  }
}

/// Whether the largest or smallest of some elements, or its index, would change without the undefined ones.
bool UndefinedCheck::isDecidedByFill(const SimInstruction &op, const SimAccess &from, int64_t begin, int64_t end) {
  const int sign = signOfExtreme(op.instruction->intrinsic);
  if (sign == 0 || undefined.fillOf(begin, end) == Fill::Anything)
    return true;
  const int64_t size = sizeOf(from);
  bool isFirst = true, firstIsDefined = false, anyIsDefined = false;
  double best = 0;
  for (int64_t at = begin; at < end; at += size) {
    const double value = sign * numberAt(from.operand->type, ub + at);
    const bool isDefined = undefined.first(at, at + size) < 0;
    if (!(value == value))
      return true;
    if (isFirst || value > best) {
      best = value;
      firstIsDefined = anyIsDefined = isDefined;
    } else if (value == best) {
      anyIsDefined = anyIsDefined || isDefined;
    }
    isFirst = false;
  }
  return op.instruction->index == ReduceIndex::None ? !anyIsDefined : !firstIsDefined;
}

/// Whether the undefined element of one lane of a Max or Min does not affect the result.
bool UndefinedCheck::isBeaten(const SimInstruction &op, const SimAccess &loser, int64_t at, const SimAccess &winner,
                              int64_t other) const {
  const int sign = signOfExtreme(op.instruction->intrinsic);
  return sign != 0 &&
         sign * numberAt(loser.operand->type, ub + at) <= sign * numberAt(winner.operand->type, ub + other);
}

/// Lane i of the destination depends on lane i of each source.
void UndefinedCheck::lanes(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  const int64_t size = sizeOf(to);
  const bool hasRows = takesRows(*op.instruction);
  uint32_t any = 0;
  for (unsigned i = 1; i < op.numAccesses && any == 0; ++i)
    if (!op.accesses[i].write)
      any = read(op, op.accesses[i], op.accesses[i].address, op.accesses[i].end());
  if (any == 0)
    return undefined.define(to.address, to.end());
  for (int64_t lane = 0; lane < op.count; ++lane) {
    uint32_t origin = 0;
    Fill fill = Fill::OfElement;
    const SimAccess *filled = nullptr, *known = nullptr; // an undefined operand and a defined one
    int64_t filledAt = 0, knownAt = 0;
    for (unsigned i = 1; i < op.numAccesses; ++i) {
      const SimAccess &from = op.accesses[i];
      if (from.write)
        continue;
      int64_t element = lane;
      if (hasRows && i == 2 && from.rowBytes > 0) {
        // A block for each row: its lanes repeat.
        const int64_t ofBlock = kBlockBytes / sizeOf(from);
        const int64_t rows = std::max<int64_t>(from.rowBytes / kBlockBytes, 1);
        element = lane / std::max<int64_t>(op.count / rows, 1) * ofBlock + lane % ofBlock;
      }
      const int64_t begin = from.address + element * sizeOf(from);
      const uint32_t found = read(op, from, begin, begin + sizeOf(from));
      if (found == 0) {
        known = &from, knownAt = begin;
        continue;
      }
      origin = origin == 0 ? found : origin;
      fill = std::min(fill, undefined.fillOf(begin, begin + sizeOf(from)));
      filled = &from, filledAt = begin;
    }
    // One element combined with many: the kernel loaded it for its copies.
    const bool isSpread = fill == Fill::OfElement && known;
    if (origin != 0 && fill != Fill::Anything && known &&
        (isSpread || isBeaten(op, *filled, filledAt, *known, knownAt)))
      origin = 0;
    write(to.address + lane * size, to.address + (lane + 1) * size, origin, fill);
  }
}

/// And, Or, Xor and Not bit by bit: a bit that is 0 decides an And, one that is 1 an Or, and some results depend on no
/// bit at all: x & ~x, x | ~x, x ^ ~x, x ^ x.
void UndefinedCheck::logic(const SimInstruction &op) {
  const Intrinsic intrinsic = op.instruction->intrinsic;
  const SimAccess &to = op.accesses[0], &a = op.accesses[1], &b = op.accesses[intrinsic == Intrinsic::vnot ? 1 : 2];
  const uint32_t inA = read(op, a, a.address, a.end()), inB = read(op, b, b.address, b.end());
  if (inA == 0 && inB == 0)
    return undefined.define(to.address, to.end());
  for (int64_t i = 0; i < to.rowBytes; ++i) {
    const int64_t left = a.address + i, right = b.address + i;
    const uint8_t x = ub[left], y = ub[right];
    const unsigned xs = undefined.bitsOf(left), ys = undefined.bitsOf(right);
    unsigned bits = 0;
    if (intrinsic == Intrinsic::vnot)
      bits = xs;
    else if (complements.contains(left, right))
      bits = 0;
    else if (intrinsic == Intrinsic::vand)
      bits = (xs & ys) | (xs & y) | (x & ys);
    else if (intrinsic == Intrinsic::vor)
      bits = (xs & ys) | (xs & ~unsigned(y)) | (~unsigned(x) & ys);
    else
      bits = left == right ? 0 : xs | ys;
    uint32_t origin = 0;
    if (bits != 0)
      origin = xs != 0 ? read(op, a, left, left + 1) : read(op, b, right, right + 1);
    undefined.setBits(to.address + i, uint8_t(bits), origin);
  }
}

/// A compare works on whole vectors, and bit i depends on lane i. Bits of lanes outside of a mask are undefined.
void UndefinedCheck::compare(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  undefined.define(to.address, to.end());
  if (comparesPart(*op.instruction))
    for (int64_t lane = op.count; lane < to.rowBytes * 8; ++lane)
      undefined.setBit(to.address, lane, true, 0);
  for (unsigned i = 1; i < op.numAccesses; ++i) {
    const SimAccess &from = op.accesses[i];
    const int64_t size = sizeOf(from);
    int64_t at = undefined.first(from.address, from.end());
    while (at >= 0) {
      const int64_t lane = (at - from.address) / size;
      undefined.setBit(to.address, lane, true, undefined.originOf(at, op.index, from.operand->buffer));
      at = undefined.first(from.address + (lane + 1) * size, from.end());
    }
  }
}

/// The chosen operand counts, and the bit that chooses.
void UndefinedCheck::select(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &mask = op.accesses[1];
  const int64_t size = sizeOf(to);
  uint32_t any = 0;
  for (unsigned i = 1; i < op.numAccesses && any == 0; ++i)
    any = read(op, op.accesses[i], op.accesses[i].address, op.accesses[i].end());
  if (any == 0)
    return undefined.define(to.address, to.end());
  for (int64_t lane = 0; lane < op.count; ++lane) {
    uint32_t origin = 0;
    Fill fill = Fill::Anything;
    if (undefined.bit(mask.address, lane)) {
      origin = undefined.originOf(mask.address + lane / 8, op.index, mask.operand->buffer);
    } else {
      const bool isFirst = ((ub[mask.address + lane / 8] >> (lane % 8)) & 1) != 0;
      const unsigned chosen = isFirst ? 2 : 3;
      if (chosen < op.numAccesses) {
        const int64_t begin = op.accesses[chosen].address + lane * size;
        origin = read(op, op.accesses[chosen], begin, begin + size);
        fill = undefined.fillOf(begin, begin + size);
      }
    }
    write(to.address + lane * size, to.address + (lane + 1) * size, origin, fill);
  }
}

/// Each group of `elements` of the first source makes `results` elements of the destination.
void UndefinedCheck::groups(const SimInstruction &op, int64_t elements, int64_t results) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const int64_t group = elements * sizeOf(from), result = results * sizeOf(to);
  if (read(op, from, from.address, from.end()) == 0)
    return undefined.define(to.address, to.end());
  for (int64_t begin = from.address, at = to.address; begin < from.end(); begin += group, at += result) {
    const int64_t end = std::min(begin + group, from.end());
    const uint32_t origin = read(op, from, begin, end);
    const bool depends = origin != 0 && isDecidedByFill(op, from, begin, end);
    // A copy of the largest element is still the largest.
    const bool isCopy = signOfExtreme(op.instruction->intrinsic) != 0 && op.instruction->index == ReduceIndex::None;
    write(at, std::min(at + result, to.end()), depends ? origin : 0,
          isCopy ? undefined.fillOf(begin, end) : Fill::Anything);
  }
}

/// Each byte of the destination depends on all sources.
void UndefinedCheck::whole(const SimInstruction &op) {
  uint32_t origin = 0;
  for (unsigned i = 1; i < op.numAccesses && origin == 0; ++i)
    if (!op.accesses[i].write)
      origin = read(op, op.accesses[i], op.accesses[i].address, op.accesses[i].end());
  if (origin != 0 && intrinsicInfo(op.instruction->intrinsic).form == IntrinsicForm::Reduce &&
      !isDecidedByFill(op, op.accesses[1], op.accesses[1].address, op.accesses[1].end()))
    origin = 0;
  write(op.accesses[0].address, op.accesses[0].end(), origin);
}

/// The result of each row depends on the row.
void UndefinedCheck::reducedRows(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  for (int64_t row = 0; row < to.rows; ++row) {
    const int64_t begin = from.address + row * from.stride, at = to.address + row * to.stride;
    const uint32_t origin = read(op, from, begin, begin + from.rowBytes);
    const bool depends = origin != 0 && isDecidedByFill(op, from, begin, begin + from.rowBytes);
    write(at, at + to.rowBytes, depends ? origin : 0);
  }
}

bool UndefinedCheck::gather(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1], &offsets = op.accesses[2];
  const int64_t size = sizeOf(to);
  for (int64_t i = 0; i < op.count; ++i) {
    const int64_t word = offsets.address + i * 4, at = to.address + i * size;
    if (const uint32_t origin = read(op, offsets, word, word + 4))
      write(at, at + size, origin);
    else
      writePicked(op, from, from.address + wordAt(offsets, i), at);
  }
  return true;
}

bool UndefinedCheck::scatter(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1], &offsets = op.accesses[2];
  const int64_t size = sizeOf(to);
  if (!use(op, offsets, "the offsets that it writes to"))
    return false;
  for (int64_t i = 0; i < op.count; ++i) {
    const int64_t begin = from.address + i * size, at = to.address + wordAt(offsets, i);
    write(at, at + size, read(op, from, begin, begin + size));
  }
  return true;
}

/// The elements that a mask or a pattern keeps, packed; what follows them is undefined.
void UndefinedCheck::compress(const SimInstruction &op) {
  const bool hasBits = intrinsicInfo(op.instruction->intrinsic).form == IntrinsicForm::GatherMask;
  const SimAccess &to = op.accesses[0], &from = op.accesses[hasBits ? 2 : 1];
  const int64_t size = sizeOf(to);
  if (hasBits)
    if (const uint32_t origin = read(op, op.accesses[1], op.accesses[1].address, op.accesses[1].end()))
      return write(to.address, to.end(), origin);
  int64_t at = to.address;
  for (int64_t i = 0; i < op.count && at < to.end(); ++i) {
    const bool isKept =
        hasBits ? ((ub[op.accesses[1].address + i / 8] >> (i % 8)) & 1) != 0 : keepsElement(op.instruction->pattern, i);
    if (!isKept)
      continue;
    writePicked(op, from, from.address + i * size, at);
    at += size;
  }
  undefined.undefine(at, to.end(), 0);
}

/// Elements that only move: the instruction is also applied to their undefined bits.
void UndefinedCheck::moved(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const uint32_t origin = read(op, from, from.address, from.end());
  if (origin == 0)
    return undefined.define(to.address, to.end());
  VectorCall call;
  call.destination = undefined.words() + to.address;
  call.sources[0] = undefined.words() + from.address;
  call.count = op.count;
  findVectorFunction(op.instruction->intrinsic, typeRowOf(*op.instruction), bestHostLevel())(call);
  undefined.setOrigin(to.address, to.end(), origin);
  undefined.forgetFill(to.address, to.end());
}

bool UndefinedCheck::vector(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  const IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  const int64_t perResult = hasPairs(instruction.index) ? 2 : 1;
  const int64_t ofRepeat = form == IntrinsicForm::Fill ? 0 : kRepeatBytes / elementSize(instruction.sources[0].type);
  bool isClean = true;
  switch (form) {
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    compare(op);
    break;
  case IntrinsicForm::Select:
  case IntrinsicForm::SelectScalar:
    select(op);
    break;
  case IntrinsicForm::RepeatReduce:
    groups(op, ofRepeat, perResult);
    break;
  case IntrinsicForm::BlockReduce:
    groups(op, kBlockBytes / sizeOf(op.accesses[1]), 1);
    break;
  case IntrinsicForm::PairReduce:
    groups(op, 2, 1);
    break;
  case IntrinsicForm::Reduce:
    if (reducesRows(instruction))
      reducedRows(op);
    else
      whole(op);
    break;
  case IntrinsicForm::Merge:
  case IntrinsicForm::Sort:
    whole(op);
    break;
  case IntrinsicForm::Gather:
    isClean = gather(op);
    break;
  case IntrinsicForm::Scatter:
    isClean = scatter(op);
    break;
  case IntrinsicForm::GatherMask:
  case IntrinsicForm::GatherPattern:
    compress(op);
    break;
  case IntrinsicForm::Transpose:
  case IntrinsicForm::ChannelsLast:
    moved(op);
    break;
  default:
    if (isLogic(instruction.intrinsic) && !takesRows(instruction))
      logic(op);
    else
      lanes(op);
  }
  if (hasScratch(form)) {
    // Scratch is undefined afterwards, except for a result in it.
    const SimAccess &scratch = op.accesses[op.numAccesses - 1], &to = op.accesses[0];
    const int64_t begin = std::clamp(to.address, scratch.address, scratch.end());
    const int64_t end = std::clamp(to.end(), scratch.address, scratch.end());
    if (begin >= end) {
      undefined.undefine(scratch.address, scratch.end(), 0);
    } else {
      undefined.undefine(scratch.address, begin, 0);
      undefined.undefine(end, scratch.end(), 0);
    }
  }
  return isClean;
}

bool UndefinedCheck::performs(const SimInstruction &op) {
  for (unsigned i = op.numAccesses; i-- > 0;) {
    const SimAccess &access = op.accesses[i];
    if (!isInUb(access))
      continue;
    for (int64_t row = 0; row < access.rows; ++row) {
      const int64_t begin = access.address + row * access.stride;
      undefined.take(access.operand->buffer, begin, begin + access.rowBytes);
    }
  }
  const bool isClean = follow(op);
  for (unsigned i = 0; i < op.numAccesses; ++i)
    if (op.accesses[i].write && isInUb(op.accesses[i]))
      complements.write(op.accesses[i].address, op.accesses[i].end());
  if (op.instruction->kind == PipeInstruction::Vector && op.instruction->intrinsic == Intrinsic::vnot)
    complements.add(op.accesses[1].address, op.accesses[0].address, op.accesses[0].rowBytes);
  return isClean;
}

/// Follows undefined bytes through an instruction; false after an error.
bool UndefinedCheck::follow(const SimInstruction &op) {
  switch (op.instruction->kind) {
  case PipeInstruction::Load:
    load(op);
    return true;
  case PipeInstruction::Store:
    store(op);
    return true;
  case PipeInstruction::ScalarRead:
    return isInUb(op.accesses[0]) ? use(op, op.accesses[0], "what it reads") : readMemory(op.accesses[0]);
  case PipeInstruction::ScalarWrite:
    if (isInUb(op.accesses[0]))
      undefined.define(op.accesses[0].address, op.accesses[0].end());
    else
      stored[op.accesses[0].operand->tensor].assign(op.accesses[0].address, op.accesses[0].end(), 0);
    return true;
  case PipeInstruction::Vector:
    return vector(op);
  case PipeInstruction::LoadNz:
    if (isInUb(op.accesses[1]) && !use(op, op.accesses[1], "what it copies"))
      return false;
    cube(op);
    return true;
  case PipeInstruction::Fill:
  case PipeInstruction::LoadFractals:
  case PipeInstruction::Mmad:
  case PipeInstruction::Fixpipe:
  case PipeInstruction::LoadIm2col:
  case PipeInstruction::LoadBias:
    cube(op);
    return true;
  default:
    return true;
  }
}

/// Results of the cube count as defined: only bytes beyond m and n are undefined.
void UndefinedCheck::cube(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  for (int64_t row = 0; row < to.rows && to.rowBytes > 0; ++row) {
    const int64_t begin = to.address + row * to.stride;
    if (isInUb(to))
      undefined.define(begin, begin + to.rowBytes);
    else
      stored[to.operand->tensor].assign(begin, begin + to.rowBytes, 0);
  }
}

} // namespace opc::sim
