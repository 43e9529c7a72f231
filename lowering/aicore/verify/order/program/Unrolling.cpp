#include "lowering/aicore/verify/order/program/Unrolling.h"

using namespace mlir;

namespace opc::aicore::proof {

/// Beyond this number, places are forgotten before the next walk. Practical kernels have far fewer.
static constexpr size_t kMostPlaces = 1 << 12;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static Number compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  default:
    return std::nullopt;
  }
}

Number evaluate(const Step &step, llvm::ArrayRef<Number> numbers) {
  const Number &first = numbers[step.a];
  if (!first || step.kind == Step::Copy)
    return first;
  if (step.kind == Step::Select)
    return numbers[*first ? step.b : step.c];
  const Number &second = numbers[step.b];
  if (!second)
    return std::nullopt;
  const int64_t a = *first, b = *second;
  switch (step.kind) {
  case Step::Add:
    return fitted(__int128(a) + b);
  case Step::Sub:
    return fitted(__int128(a) - b);
  case Step::Mul:
    return fitted(__int128(a) * b);
  case Step::FloorDiv:
    return b < 1 ? Number() : Number(a / b - (a % b < 0));
  case Step::CeilDiv:
    return b < 1 ? Number() : Number(a / b + (a % b > 0));
  case Step::Rem:
    return b < 1 ? Number() : Number(a % b);
  case Step::Min:
    return std::min(a, b);
  case Step::Max:
    return std::max(a, b);
  case Step::And:
    return a & b;
  case Step::Or:
    return a | b;
  case Step::Xor:
    return a ^ b;
  case Step::Compare:
    return compare(step.predicate, a, b);
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Place find(const KernelProgram &program, const AccessPlan &plan, llvm::ArrayRef<Number> numbers,
                  llvm::ArrayRef<int64_t> tripsOf) {
  const Home &home = program.homes[plan.home];
  auto valueOf = [&](Slot slot) { return slot == kNoSlot ? Number() : numbers[slot]; };
  Place place;
  place.home = plan.home;
  place.inUB = home.inUB;
  int64_t from = home.begin, to = home.end;
  const int64_t slot = valueOf(plan.slot).value_or(-1);
  const bool hasSlot = home.inUB && slot >= 0 && slot < home.slots;
  if (hasSlot) {
    from += slot * home.slotBytes;
    to = from + home.slotBytes;
  }
  place.begin = place.reachBegin = from;
  place.end = place.reachEnd = to;
  place.moves = plan.moves && home.isCrowded;
  if (plan.ofRows) {
    if (plan.row == kNoSlot || (slot < 0 && home.slots > 1))
      return place;
    const __int128 number = valueOf(plan.row).value_or(0) + int64_t(plan.behindFirst);
    const int64_t count = tripsOf[plan.rowLoop] + int64_t(plan.behindFirst);
    place.tile = int(home.firstSlot) + (hasSlot ? int(slot) : 0);
    place.begin = from + static_cast<int64_t>((to - from) * number / count);
    place.end = from + static_cast<int64_t>((to - from) * (number + 1) / count);
    return place;
  }
  Number offset = plan.hasOffset ? Number(0) : Number(), length = valueOf(plan.length);
  for (Slot part : plan.offsets) {
    Number own = valueOf(part);
    offset = offset && own ? fitted(__int128(*offset) + *own) : Number();
  }
  if (home.inUB && length && *length == 0) {
    place.end = place.begin;
    return place;
  }
  const bool known = offset && *offset >= 0 && (!home.inUB || *offset < home.capacity);
  const int64_t size = plan.elementBytes;
  if (known)
    place.begin = std::min<int64_t>(to - 1, fitted(from + __int128(*offset) * size).value_or(to - 1));
  if (known && length && *length > 0)
    place.end = std::min<int64_t>(to, fitted(place.begin + __int128(*length) * size).value_or(to));
  return place;
}

Place locate(const KernelProgram &program, const AccessPlan &plan, llvm::ArrayRef<Number> numbers,
             llvm::ArrayRef<int64_t> tripsOf) {
  Place place = find(program, plan, numbers, tripsOf);
  if (!place.moves)
    std::tie(place.reachBegin, place.reachEnd) = std::pair(place.begin, place.end);
  return place;
}

unsigned Unroller::placeOf(const AccessPlan &plan, const Place &place) {
  const uint64_t mixed = (uint64_t(place.begin) + 31 * uint64_t(place.end)) * 0x9E3779B97F4A7C15u;
  unsigned &last = recent[plan.number][mixed >> 61];
  if (last < allPlaces.size() && allPlaces[last] == place)
    return last;
  auto [known, isNew] = numberOfPlace.try_emplace(
      {place.home, place.begin, place.end, place.tile, unsigned(place.moves)}, allPlaces.size());
  if (isNew)
    allPlaces.push_back(place);
  return last = known->second;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void Unroller::issue(const Instruction &instruction) {
  Event event = {&instruction, 0, unsigned(result.touches.size()), 0, iteration};
  if (instruction.id != kNoSlot) {
    Number id = numbers[instruction.id];
    if (!id)
      return stop(UnrollStatus::Unknown, instruction.op);
    event.id = *id;
  }
  for (const AccessPlan &plan : instruction.accesses)
    if (const Place place = locate(program, plan, numbers, tripsOf); !place.isEmpty())
      result.touches.push_back({placeOf(plan, place), plan.reads, plan.writes});
  event.touchesEnd = result.touches.size();
  result.events.push_back(event);
}

void Unroller::runLoop(const Step &step) {
  KernelProgram::Loop &loop = program.loops[step.index];
  Number count = loop.constant ? (*trips)(loop.op.getUpperBound(), 0) : numbers[step.a];
  if (!count)
    return stop(UnrollStatus::Unknown, loop.op);
  const unsigned outer = iteration;
  tripsOf[step.index] = *count;
  for (int64_t i = 0; i < *count && going(); ++i) {
    iteration = result.iterations.size();
    result.iterations.push_back({outer, i});
    numbers[step.result] = i;
    run(loop.body);
  }
  iteration = outer;
}

void Unroller::runBranch(const Step &step) {
  KernelProgram::Branch &branch = program.branches[step.index];
  Number condition = numbers[step.a];
  if (!condition)
    return stop(UnrollStatus::Unknown, branch.op);
  run(*condition ? branch.taken : branch.other);
}

void Unroller::run(const Body &body) {
  result.steps += body.ops;
  if (result.steps > limit)
    return stop(UnrollStatus::TooLong, nullptr);
  for (const Step &step : body.steps) {
    switch (step.kind) {
    case Step::Bound:
      numbers[step.result] = (*trips)(program.bounds[step.index], settings[step.index]++);
      break;
    case Step::Loop:
      runLoop(step);
      break;
    case Step::Branch:
      runBranch(step);
      break;
    case Step::Issue:
      issue(program.instructions[step.index]);
      break;
    default:
      numbers[step.result] = evaluate(step, numbers);
    }
    if (!going())
      return;
  }
}

Unroller::Unroller(KernelProgram kernel) : program(std::move(kernel)), recent(program.accesses) {
}

void Unroller::forget() {
  allPlaces.clear();
  numberOfPlace.clear();
  ++timesForgotten;
}

const Unrolling &Unroller::unroll(const TripCounts &counts, size_t most) {
  trips = &counts;
  limit = most;
  result.events.clear();
  result.touches.clear();
  result.iterations.assign(1, {0, 0});
  result.steps = 0;
  result.status = UnrollStatus::Done;
  result.unknownAt = nullptr;
  numbers = program.numbers;
  settings.assign(program.bounds.size(), 0);
  tripsOf.assign(program.loops.size(), 0);
  iteration = 0;
  if (allPlaces.size() > kMostPlaces)
    forget();
  run(program.body);
  return result;
}

} // namespace opc::aicore::proof
