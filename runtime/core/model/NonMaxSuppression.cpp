#include "runtime/core/model/NonMaxSuppression.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opc {

std::unique_ptr<HostStep> NonMaxSuppression::create(const PlanStep &step, const std::vector<PlanValue> &values) {
  const std::vector<int64_t> &scores = values[static_cast<size_t>(step.operands[1])].shape;
  auto made = std::make_unique<NonMaxSuppression>();
  made->batches = scores[0];
  made->classes = scores[1];
  made->places = scores[2];
  made->room = values[step.results[0]].shape[0];
  made->operands = step.operands.size();
  for (const auto &[name, text] : step.attributes)
    made->isCentred |= name == "center_point_box" && text == "1";
  // If a row can be kept, the scores of all boxes are in memory, so these products fit. Otherwise sizes beside a 0 may
  // be arbitrary, and nothing is read.
  const int64_t looked = made->room == 0 ? 0 : made->places, most = std::min(looked, made->room);
  std::optional<Tensor> memory = Tensor::create(ElementType::UInt8, {looked * static_cast<int64_t>(sizeof(Candidate)) +
                                                                     most * static_cast<int64_t>(sizeof(Box))});
  if (!memory)
    return nullptr;
  made->memory = std::move(*memory);
  made->candidates = static_cast<Candidate *>(made->memory.data());
  made->kept = reinterpret_cast<Box *>(made->candidates + looked);
  return made;
}

NonMaxSuppression::Box NonMaxSuppression::boxAt(const float *box) const {
  Box result;
  for (int i : {0, 1}) {
    if (isCentred) {
      // Centre and size.
      result.low[i] = box[i] - box[i + 2] / 2;
      result.high[i] = box[i] + box[i + 2] / 2;
    } else {
      result.low[i] = std::min(box[i], box[i + 2]);
      result.high[i] = std::max(box[i], box[i + 2]);
    }
  }
  return result;
}

int64_t NonMaxSuppression::keepOfClass(const float *boxes, const float *scores, int64_t most, float overlap,
                                       const float *least, int64_t batch, int64_t ofClass, int64_t *rows) {
  int64_t count = 0, found = 0;
  for (int64_t i = 0; i < places; ++i)
    if (!least || scores[i] > *least)
      candidates[count++] = {std::isnan(scores[i]) ? -std::numeric_limits<float>::infinity() : scores[i], i};
  // A heap, since only few of many candidates are visited.
  auto isBehind = [](const Candidate &a, const Candidate &b) {
    return a.score < b.score || (a.score == b.score && a.place > b.place);
  };
  auto area = [](const Box &box) { return (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]); };
  auto overlaps = [&](const Box &a, const Box &b) {
    Box both;
    for (int i : {0, 1}) {
      both.low[i] = std::max(a.low[i], b.low[i]);
      both.high[i] = std::min(a.high[i], b.high[i]);
      if (!(both.high[i] > both.low[i]))
        return false;
    }
    const float of = area(a), with = area(b), shared = area(both);
    return of > 0 && with > 0 && shared / (of + with - shared) > overlap;
  };
  std::make_heap(candidates, candidates + count, isBehind);
  while (count > 0 && found < most) {
    std::pop_heap(candidates, candidates + count, isBehind);
    const int64_t place = candidates[--count].place;
    const Box box = boxAt(boxes + place * 4);
    if (std::any_of(kept, kept + found, [&](const Box &each) { return overlaps(each, box); }))
      continue;
    kept[found] = box;
    rows[found * 3] = batch;
    rows[found * 3 + 1] = ofClass;
    rows[found * 3 + 2] = place;
    ++found;
  }
  return found;
}

void NonMaxSuppression::run(void *const *tensors) {
  auto *boxes = static_cast<const float *>(tensors[0]), *scores = static_cast<const float *>(tensors[1]);
  auto number = [&](size_t i) { return i < operands ? static_cast<const float *>(tensors[i]) : nullptr; };
  auto *most = operands > 2 ? static_cast<const int64_t *>(tensors[2]) : nullptr;
  const float *overlap = number(3), *least = number(4);
  auto *rows = static_cast<int64_t *>(tensors[operands]);
  int64_t count = 0;
  for (int64_t batch = 0; batch < batches && count < room; ++batch)
    for (int64_t each = 0; each < classes && count < room; ++each)
      count += keepOfClass(boxes + batch * places * 4, scores + (batch * classes + each) * places,
                           std::min({most ? *most : 0, places, room - count}), overlap ? *overlap : 0, least, batch,
                           each, rows + count * 3);
  std::fill(rows + count * 3, rows + room * 3, 0);
  *static_cast<int64_t *>(tensors[operands + 1]) = count;
}

} // namespace opc
