#include "lowering/aicore/verify/order/Segments.h"

namespace opc::aicore::proof {

static unsigned memoryOf(const Place &place) {
  return place.inUB ? 0 : place.home + 1;
}

/// Adds the cuts of places that are new.
void Segments::learn(const Unroller &unroller) {
  llvm::ArrayRef<Place> places = unroller.places();
  if (forgotten != unroller.forgotten()) {
    forgotten = unroller.forgotten();
    cuts.clear();
    learned = 0;
  }
  if (learned == places.size())
    return;
  for (const Place &place : places.drop_front(learned)) {
    cuts.push_back({memoryOf(place), place.begin});
    cuts.push_back({memoryOf(place), place.end});
  }
  llvm::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  auto indexOf = [&](const Cut &cut) { return unsigned(llvm::lower_bound(cuts, cut) - cuts.begin()); };
  cutsOf.clear();
  for (const Place &place : places)
    cutsOf.push_back({indexOf({memoryOf(place), place.begin}), indexOf({memoryOf(place), place.end})});
  learned = places.size();
}

void Segments::cut(const Unroller &unroller, const Unrolling &unrolling) {
  learn(unroller);
  isUsed.assign(cuts.size(), 0);
  for (const Touch &touch : unrolling.touches) {
    isUsed[cutsOf[touch.place].first] = 1;
    isUsed[cutsOf[touch.place].end] = 1;
  }
  numbers.resize(cuts.size());
  total = 0;
  for (unsigned cut = 0; cut < cuts.size(); ++cut) {
    numbers[cut] = total;
    total += unsigned(isUsed[cut]);
  }
}

} // namespace opc::aicore::proof
