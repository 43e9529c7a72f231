// The chips: their figures as a table, lookup by name, and what the table says about limits and intrinsics.
//
// Ascend310B.def has one row for each figure. Here the rows become an enumeration, so that the index of a figure is
// known at compile time, and one table for each chip.

#include "runtime/target/Target.h"
#include "runtime/target/Figures.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace opc;

static std::vector<Figure> figuresOfB1() {
  return {
#define OPC_FIGURE(NAME, UNIT, B1, B4, SOURCE) {#NAME, B1, UNIT, SOURCE},
#define OPC_COST_FIGURE(NAME, UNIT, B1, B4, SOURCE) {#NAME, B1, UNIT, SOURCE, true},
#include "runtime/target/Ascend310B.def"
#undef OPC_FIGURE
  };
}

static std::vector<Figure> figuresOfB4() {
  return {
#define OPC_FIGURE(NAME, UNIT, B1, B4, SOURCE) {#NAME, B4, UNIT, SOURCE},
#define OPC_COST_FIGURE(NAME, UNIT, B1, B4, SOURCE) {#NAME, B4, UNIT, SOURCE, true},
#include "runtime/target/Ascend310B.def"
#undef OPC_FIGURE
  };
}

const std::vector<Target> &opc::allTargets() {
  static const std::vector<Target> targets = [] {
    Target b1, b4;
    b1.socVersion = "Ascend310B1";
    b1.boardNames = "Orange Pi AIpro 20T";
    b1.table = figuresOfB1();
    b4.socVersion = "Ascend310B4";
    b4.boardNames = "Atlas 200I DK A2, Orange Pi AIpro 8T";
    b4.table = figuresOfB4();
    return std::vector<Target>{std::move(b1), std::move(b4)};
  }();
  return targets;
}

const Target *opc::findTarget(std::string_view socVersion) {
  if (socVersion == "Ascend310B")
    socVersion = "Ascend310B1";
  for (const Target &target : allTargets())
    if (target.name() == socVersion)
      return &target;
  return nullptr;
}

std::vector<std::string> opc::targetNames() {
  std::vector<std::string> names = {"Ascend310B"};
  for (const Target &target : allTargets())
    names.emplace_back(target.name());
  return names;
}

std::string_view opc::pipeName(Pipe pipe) {
  static constexpr std::string_view names[kNumPipes] = {"s", "v", "m", "mte1", "mte2", "mte3", "fix"};
  return names[static_cast<unsigned>(pipe)];
}

std::string_view opc::ascendCPipeName(Pipe pipe) {
  static constexpr std::string_view names[kNumPipes] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
  return names[static_cast<unsigned>(pipe)];
}

double Target::figure(std::string_view name) const {
  for (const Figure &figure : table)
    if (figure.name == name)
      return figure.value;
  std::fprintf(stderr, "internal error: no figure '%.*s' in the target\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

Target Target::withFigure(std::string_view name, double value) const {
  Target changed = *this;
  for (Figure &figure : changed.table)
    if (figure.cost && figure.name == name) {
      figure.value = value;
      return changed;
    }
  std::fprintf(stderr, "internal error: no figure '%.*s' in the cost model\n", static_cast<int>(name.size()),
               name.data());
  std::abort();
}

/// The value of a figure that is a whole number.
static int64_t whole(const Target &target, FigureIndex index) {
  return static_cast<int64_t>(target.figures()[index].value);
}

int64_t Target::ubBytes() const {
  return whole(*this, ub_bytes);
}
int64_t Target::ubAlignment() const {
  return whole(*this, ub_alignment);
}
int64_t Target::vectorBytes() const {
  return whole(*this, vector_bytes);
}
int64_t Target::memoryBytes(Memory memory) const {
  static constexpr FigureIndex bytes[kNumMemories] = {ub_bytes,  ub_bytes,  l1_bytes,        l0a_bytes,
                                                      l0b_bytes, l0c_bytes, bias_table_bytes};
  return whole(*this, bytes[static_cast<unsigned>(memory)]);
}
int64_t Target::memoryAlignment(Memory memory) const {
  static constexpr FigureIndex alignments[kNumMemories] = {
      ub_alignment, ub_alignment, l1_alignment, l0a_alignment, l0b_alignment, l0c_alignment, bias_table_alignment};
  return whole(*this, alignments[static_cast<unsigned>(memory)]);
}
unsigned Target::firstEventId(Pipe from, Pipe to) const {
  return from == Pipe::M && to == Pipe::MTE1 ? static_cast<unsigned>(whole(*this, preset_m_mte1_ids)) : 0;
}
unsigned Target::eventIds() const {
  return static_cast<unsigned>(whole(*this, event_ids) - whole(*this, event_ids_reserved));
}
int64_t Target::maxCopyBlocks() const {
  return whole(*this, max_copy_blocks);
}
int64_t Target::maxCopyBlockBytes() const {
  return whole(*this, max_copy_block_bytes);
}
int64_t Target::maxMergePairs() const {
  return whole(*this, max_merge_pairs);
}
int64_t Target::maxBlocks() const {
  return whole(*this, max_blocks);
}
double Target::clockMHz() const {
  return table[clock_mhz].value;
}

static_assert(in_order_s + unsigned(Pipe::V) == in_order_v && in_order_s + unsigned(Pipe::M) == in_order_m &&
                  in_order_s + unsigned(Pipe::MTE1) == in_order_mte1 &&
                  in_order_s + unsigned(Pipe::MTE2) == in_order_mte2 &&
                  in_order_s + unsigned(Pipe::MTE3) == in_order_mte3 &&
                  in_order_s + unsigned(Pipe::FIX) == in_order_fix,
              "rows of in_order_* are in the order of Pipe");

bool Target::completesInOrder(Pipe pipe) const {
  return table[in_order_s + static_cast<unsigned>(pipe)].value != 0;
}

Target Target::portable() const {
  Target changed = *this;
  changed.table[in_order_v].value = 0;
  changed.table[in_order_v].source = "asked for: kernels that other chips run as well";
  return changed;
}

Target Target::withFixToV() const {
  Target changed = *this;
  changed.fixToV = true;
  return changed;
}

bool Target::supports(Intrinsic intrinsic, TypeRow types) const {
  const std::vector<TypeRow> &rows = intrinsicInfo(intrinsic).types;
  return std::any_of(rows.begin(), rows.end(), [types](TypeRow row) {
    return row.source == types.source && row.destination == types.destination;
  });
}

std::vector<RoundingMode> Target::castRoundings(TypeRow types) const {
  using T = ElementType;
  if (!supports(Intrinsic::vcast, types))
    return {};
  auto is = [types](T source, T destination) { return types.source == source && types.destination == destination; };
  // Every value of the source has an exact result; int32 to int16 and int64 to int32 keep whole numbers whole.
  bool exact = is(T::Int8, T::Float16) || is(T::UInt8, T::Float16) || is(T::Int16, T::Float32) ||
               is(T::Float16, T::Float32) || is(T::BFloat16, T::Float32) || is(T::Int32, T::Int16) ||
               is(T::Int32, T::Int64) || is(T::Int64, T::Int32);
  if (exact)
    return {RoundingMode::None};
  std::vector<RoundingMode> modes = {RoundingMode::Rint, RoundingMode::Floor, RoundingMode::Ceil, RoundingMode::Round,
                                     RoundingMode::Trunc};
  if (is(T::Float32, T::Float16))
    modes.push_back(RoundingMode::Odd);
  // For these, both versions of the toolkit support CAST_NONE as well; it rounds like CAST_RINT if digits are lost.
  bool takesNone = is(T::Float32, T::Float16) || is(T::Int16, T::Float16) || is(T::Int32, T::Float32) ||
                   is(T::Float16, T::Int8) || is(T::Float16, T::UInt8);
  if (takesNone)
    modes.push_back(RoundingMode::None);
  return modes;
}
