#include "runtime/target/IntrinsicForm.h"

#include <limits>

using namespace opc;
using Form = IntrinsicForm;

SourceCount opc::sourceCount(IntrinsicForm form) {
  switch (form) {
  case Form::Fill:
    return {0, 0};
  case Form::Unary:
  case Form::Scalar:
  case Form::AccumulateScalar:
  case Form::CompareScalar:
  case Form::Reduce:
  case Form::Cast:
  case Form::UnaryScratch:
  case Form::RepeatReduce:
  case Form::BlockReduce:
  case Form::PairReduce:
  case Form::GatherPattern:
  case Form::Transpose:
  case Form::ChannelsLast:
    return {1, 1};
  case Form::Binary:
  case Form::Accumulate:
  case Form::Compare:
  case Form::SelectScalar:
  case Form::Gather:
  case Form::BinaryScratch:
  case Form::GatherMask:
  case Form::Scatter:
  case Form::Sort:
    return {2, 2};
  case Form::Select:
    return {3, 3};
  case Form::Merge:
    return {2, 4};
  }
  return {0, 0};
}

bool opc::takesScalar(IntrinsicForm form) {
  return form == Form::Scalar || form == Form::AccumulateScalar || form == Form::CompareScalar ||
         form == Form::SelectScalar || form == Form::Fill;
}

bool opc::hasScratch(IntrinsicForm form) {
  return form == Form::Reduce || hasByteScratch(form);
}

bool opc::hasByteScratch(IntrinsicForm form) {
  return form == Form::UnaryScratch || form == Form::BinaryScratch;
}

bool opc::readsDestination(IntrinsicForm form) {
  return form == Form::Accumulate || form == Form::AccumulateScalar || form == Form::Scatter;
}

bool opc::hasMask(IntrinsicForm form) {
  return form == Form::Select || form == Form::SelectScalar || form == Form::GatherMask;
}

bool opc::writesMask(IntrinsicForm form) {
  return form == Form::Compare || form == Form::CompareScalar;
}

bool opc::hasWords(IntrinsicForm form) {
  return form == Form::Gather || form == Form::Scatter || form == Form::Sort;
}

bool opc::worksByLane(IntrinsicForm form) {
  switch (form) {
  case Form::Unary:
  case Form::Binary:
  case Form::Scalar:
  case Form::Accumulate:
  case Form::AccumulateScalar:
  case Form::Fill:
  case Form::Cast:
  case Form::UnaryScratch:
  case Form::BinaryScratch:
    return true;
  default:
    return false;
  }
}

bool opc::countsSource(IntrinsicForm form) {
  switch (form) {
  case Form::Compare:
  case Form::CompareScalar:
  case Form::Reduce:
  case Form::RepeatReduce:
  case Form::BlockReduce:
  case Form::PairReduce:
  case Form::GatherMask:
  case Form::GatherPattern:
  case Form::Scatter:
  case Form::Sort:
  case Form::Merge:
    return true;
  default:
    return false;
  }
}

// By the vendor's documentation a transpose works in place, and calls made of several instructions (UnaryScratch,
// BinaryScratch) do not. Forms that move elements would read positions that they have already overwritten.
bool opc::worksInPlace(IntrinsicForm form) {
  return (worksByLane(form) && !hasByteScratch(form)) || writesMask(form) || form == Form::Select ||
         form == Form::SelectScalar || form == Form::Reduce || form == Form::Transpose;
}

int64_t opc::channelsOf(ElementType type) {
  return elementSize(type) == 1 ? 32 : 16;
}

std::string_view opc::gatherPatternName(GatherPattern pattern) {
  static constexpr std::string_view names[] = {"", "even", "odd", "first", "second", "third", "fourth", "all"};
  return isGatherPattern(pattern) ? names[static_cast<unsigned>(pattern)] : names[0];
}

bool opc::isGatherPattern(GatherPattern pattern) {
  return pattern >= GatherPattern::Even && pattern <= GatherPattern::All;
}

bool opc::keepsElement(GatherPattern pattern, int64_t index) {
  switch (pattern) {
  case GatherPattern::Even:
  case GatherPattern::Odd:
    return index % 2 == (pattern == GatherPattern::Odd ? 1 : 0);
  case GatherPattern::First:
  case GatherPattern::Second:
  case GatherPattern::Third:
  case GatherPattern::Fourth:
    return index % 4 == static_cast<int64_t>(pattern) - static_cast<int64_t>(GatherPattern::First);
  case GatherPattern::All:
    break;
  }
  return true;
}

int64_t ResultLength::of(int64_t count) const {
  int64_t sum, result;
  if (__builtin_add_overflow(count, add, &sum) || __builtin_mul_overflow(sum / divisor, factor, &result))
    return std::numeric_limits<int64_t>::max();
  return result;
}

static ResultLength keptOf(GatherPattern pattern) {
  switch (pattern) {
  case GatherPattern::Even:
    return {2, 1, 1};
  case GatherPattern::Odd:
    return {2, 0, 1};
  case GatherPattern::First:
  case GatherPattern::Second:
  case GatherPattern::Third:
  case GatherPattern::Fourth:
    return {4, static_cast<int64_t>(GatherPattern::Fourth) - static_cast<int64_t>(pattern), 1};
  case GatherPattern::All:
    break;
  }
  return {};
}

ResultLength opc::resultLength(IntrinsicForm form, ElementType source, GatherPattern pattern) {
  const int64_t lanes = kRepeatBytes / elementSize(source);
  switch (form) {
  case Form::RepeatReduce:
    return {lanes, lanes - 1, 1};
  case Form::BlockReduce:
    return {lanes, lanes - 1, kRepeatBytes / kBlockBytes};
  case Form::PairReduce:
    return {lanes, lanes - 1, lanes / 2};
  case Form::GatherPattern:
    return keptOf(pattern);
  case Form::Sort:
    return {1, 0, kPairBytes / elementSize(source)};
  default:
    return {};
  }
}

int64_t opc::countUnit(IntrinsicForm form, ElementType source) {
  switch (form) {
  case Form::Transpose:
    return kTransposeRows * kTransposeRows;
  case Form::ChannelsLast:
    return channelsOf(source) * (kBlockBytes / elementSize(source));
  case Form::Sort:
    return kSortElements;
  case Form::Merge:
    return kPairBytes / elementSize(source);
  default:
    return 1;
  }
}
