#include "lowering/aicore/verify/order/Demands.h"

#include <numeric>

namespace opc::aicore::proof {

/// Numbers with larger divisors are demanded exactly.
static constexpr int64_t kMostDivisor = 1 << 10;

static Demands::Live sorted(const llvm::DenseMap<Slot, int64_t> &found) {
  Demands::Live live(found.begin(), found.end());
  llvm::sort(live);
  return live;
}

Demands::Demands(const KernelProgram &program)
    : program(program), varies(program.numbers.size()), bodies(program.loops.size()), loops(program.loops.size()),
      rests(program.body.steps.size() + 1), steps(program.body.steps.size()) {
  for (const Number &number : program.numbers)
    isNatural.push_back(number && *number >= 0);
  findSigns(program.body);
  Found rest;
  for (size_t index = program.body.steps.size(); index-- > 0;) {
    const Step &step = program.body.steps[index];
    Found own;
    if (auto known = step.result == kNoSlot ? rest.end() : rest.find(step.result); known != rest.end())
      own.insert(*known);
    this->step(own, step);
    steps[index] = sorted(own);
    this->step(rest, step);
    rests[index] = sorted(rest);
  }
  findSegments(program.body);
  for (const KernelProgram::Loop &loop : program.loops)
    findSegments(loop.body);
  for (const KernelProgram::Branch &branch : program.branches) {
    findSegments(branch.taken);
    findSegments(branch.other);
  }
}

void Demands::findSegments(const Body &body) {
  for (auto first = body.steps.begin(); first != body.steps.end(); ++first) {
    if (first->kind != Step::Issue)
      continue;
    const auto end = std::find_if_not(first, body.steps.end(), [](const Step &step) { return step.isInline(); });
    Found live;
    for (auto step = end; step != first; --step)
      this->step(live, *std::prev(step));
    segments.try_emplace(&*first, Segment{unsigned(segments.size()), sorted(live)});
    if (end == body.steps.end())
      return;
    first = end;
  }
}

void Demands::findSigns(const Body &body) {
  for (const Step &step : body.steps) {
    auto natural = [&](Slot slot) { return slot == kNoSlot || isNatural[slot]; };
    switch (step.kind) {
    case Step::Loop:
      varies[step.result] = isNatural[step.result] = true;
      findSigns(program.loops[step.index].body);
      break;
    case Step::Branch:
      findSigns(program.branches[step.index].taken);
      findSigns(program.branches[step.index].other);
      break;
    case Step::Issue:
      break;
    case Step::Bound:
    case Step::Compare:
      varies[step.result] = isNatural[step.result] = true;
      break;
    case Step::Sub:
    case Step::Xor:
      varies[step.result] = true;
      isNatural[step.result] = false;
      break;
    default:
      varies[step.result] = true;
      isNatural[step.result] = natural(step.a) && natural(step.b) && natural(step.c);
    }
  }
}

void Demands::demand(Found &live, Slot slot, int64_t divisor) const {
  if (slot == kNoSlot || !varies[slot])
    return;
  auto [known, isNew] = live.try_emplace(slot, divisor);
  if (isNew || known->second == divisor)
    return;
  known->second = known->second && divisor ? std::lcm(known->second, divisor) : 0;
  if (known->second > kMostDivisor)
    known->second = 0;
}

void Demands::operands(Found &live, const Step &step, int64_t divisor) const {
  const bool natural = isNatural[step.a] && (step.b == kNoSlot || isNatural[step.b]);
  int64_t a = 0, b = 0;
  if ((step.kind == Step::Add || step.kind == Step::Mul || step.kind == Step::Copy) && natural)
    a = b = divisor;
  // The divisor of a remainder is constant in a walk, or is demanded itself.
  else if (step.kind == Step::Rem && natural && !varies[step.b] && *program.numbers[step.b] <= kMostDivisor)
    a = *program.numbers[step.b];
  demand(live, step.a, a);
  demand(live, step.b, b);
  demand(live, step.c, 0);
}

void Demands::instruction(Found &live, const Instruction &instruction) const {
  demand(live, instruction.id, 0);
  for (const AccessPlan &plan : instruction.accesses) {
    if (!program.homes[plan.home].inUB)
      continue;
    demand(live, plan.slot, 0);
    demand(live, plan.row, 0);
    if (plan.ofRows && plan.row != kNoSlot)
      live[Slot(program.numbers.size()) + plan.rowLoop] = 0;
    if (plan.ofRows || !plan.hasOffset)
      continue;
    demand(live, plan.length, 0);
    for (Slot offset : plan.offsets)
      demand(live, offset, 0);
  }
}

static void unite(llvm::DenseMap<Slot, int64_t> &live, const llvm::DenseMap<Slot, int64_t> &other) {
  for (auto [slot, divisor] : other) {
    auto [known, isNew] = live.try_emplace(slot, divisor);
    if (!isNew && known->second != divisor)
      known->second = known->second && divisor ? std::lcm(known->second, divisor) : 0;
  }
}

void Demands::step(Found &live, const Step &step) {
  switch (step.kind) {
  case Step::Bound:
    live.erase(step.result);
    break;
  case Step::Loop: {
    Found inner;
    body(inner, program.loops[step.index].body);
    bodies[step.index] = sorted(inner);
    inner.erase(step.result);
    inner.erase(Slot(program.numbers.size()) + step.index);
    if (!program.loops[step.index].constant)
      demand(inner, step.a, 0);
    loops[step.index] = sorted(inner);
    unite(live, inner);
    break;
  }
  case Step::Branch: {
    Found taken, other;
    body(taken, program.branches[step.index].taken);
    body(other, program.branches[step.index].other);
    unite(live, taken);
    unite(live, other);
    demand(live, step.a, 0);
    break;
  }
  case Step::Issue:
    instruction(live, program.instructions[step.index]);
    break;
  default:
    if (auto known = live.find(step.result); known != live.end()) {
      const int64_t divisor = known->second;
      live.erase(step.result);
      operands(live, step, divisor);
    }
  }
}

void Demands::body(Found &live, const Body &body) {
  for (size_t step = body.steps.size(); step-- > 0;)
    this->step(live, body.steps[step]);
}

} // namespace opc::aicore::proof
