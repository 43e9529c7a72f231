#include "lowering/schedule/ScheduleFixes.h"

#include "runtime/target/Sensitivity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace mlir;
using opc::aicore::NeedsAttr;
using opc::aicore::ScheduleAttr;

namespace opc {

namespace {

/// Knobs that can save bytes, in the order in which fixes of equal cost are listed.
enum Change : unsigned { Tile = 1, Rows = 2, Slots = 4, Alignment = 8, Alias = 16, Expansion = 32 };
constexpr unsigned kAllChanges = 63;

struct Candidate {
  ScheduleFix fix;
  NeedsAttr needs;
  ScheduleAttr schedule;
};

class FixSearch {
public:
  FixSearch(ArrayRef<NeedsAttr> variants, const ShapeKey &key, const ContractSchedule &author, const Target &target)
      : variants(variants), key(key), author(author), target(target) {}

  std::vector<Candidate> run(unsigned typeRow) const;
  int64_t cyclesOf(const Candidate &candidate, const Target &chip) const {
    return estimateCycles(candidate.needs, candidate.schedule, key, chip);
  }

private:
  unsigned possible() const;
  std::optional<Candidate> make(unsigned changes, unsigned typeRow) const;

  ArrayRef<NeedsAttr> variants;
  const ShapeKey &key;
  const ContractSchedule &author;
  const Target &target;
};

} // namespace

static bool asks(const std::optional<ScheduleKnob> &knob, int64_t value) {
  return knob && knob->value == value;
}

/// The changes that make a difference to the author's schedule.
unsigned FixSearch::possible() const {
  unsigned changes = 0;
  if (author.tile)
    changes |= Tile;
  if (author.rows && key.kind != ShapeKey::Flat && (!key.isLong || key.kind == ShapeKey::Contraction))
    changes |= Rows;
  if (!asks(author.slots, 1))
    changes |= Slots;
  if (author.alignment && author.alignment->value > target.ubAlignment())
    changes |= Alignment;
  if (!asks(author.alias, 1) && llvm::any_of(variants, [](NeedsAttr n) { return n.getAlias(); }))
    changes |= Alias;
  if (!asks(author.expansion, 16) && llvm::any_of(variants, [](NeedsAttr n) { return n.getExpansion() == 16; }))
    changes |= Expansion;
  return changes;
}

/// The author's schedule with these changes; nullopt if it does not fit.
std::optional<Candidate> FixSearch::make(unsigned changes, unsigned typeRow) const {
  ContractSchedule changed = author;
  auto says = [](int64_t value) { return ScheduleKnob{value, {}, true}; };
  if (changes & Tile)
    changed.tile.reset();
  if (changes & Rows)
    changed.rows.reset();
  if (changes & Alignment)
    changed.alignment.reset();
  if (changes & Slots)
    changed.slots = says(1);
  if (changes & Alias)
    changed.alias = says(1);
  if (changes & Expansion)
    changed.expansion = says(16);
  // Prefetching the next tile requires two slots.
  bool withoutPrefetch = changes & Slots && asks(author.prefetch, 1);
  if (withoutPrefetch)
    changed.prefetch = says(0);
  NeedsAttr needs = needsFor(variants, asks(changed.alias, 1), changed.expansion ? changed.expansion->value : 32);
  // The kernel cannot use these two changes together.
  if ((changes & Alias && !needs.getAlias()) || (changes & Expansion && needs.getExpansion() != 16))
    return std::nullopt;
  ScheduleChoice choice = chooseSchedule(needs, key, changed, target);
  if (!choice.schedule)
    return std::nullopt;
  ScheduleFix fix;
  ContractSchedule &entry = fix.entry;
  entry.typeRow = typeRow;
  entry.key = key.number;
  if (changes & Tile)
    entry.tile = says(choice.schedule.getTile());
  if (changes & Rows)
    entry.rows = says(choice.schedule.getRows());
  if (changes & Slots)
    entry.slots = changed.slots;
  if (withoutPrefetch)
    entry.prefetch = changed.prefetch;
  if (changes & Alignment)
    entry.alignment = says(target.ubAlignment());
  if (changes & Alias)
    entry.alias = changed.alias;
  if (changes & Expansion)
    entry.expansion = changed.expansion;
  fix.ubBytes = choice.bytes;
  Candidate candidate{std::move(fix), needs, choice.schedule};
  candidate.fix.cycles = cyclesOf(candidate, target);
  return candidate;
}

std::vector<Candidate> FixSearch::run(unsigned typeRow) const {
  std::vector<unsigned> sets;
  unsigned all = possible();
  for (unsigned changes = 1; changes <= kAllChanges; ++changes)
    if ((changes & ~all) == 0)
      sets.push_back(changes);
  llvm::stable_sort(sets, [](unsigned a, unsigned b) { return llvm::popcount(a) < llvm::popcount(b); });
  std::vector<Candidate> found;
  std::vector<unsigned> taken;
  for (unsigned changes : sets) {
    if (llvm::any_of(taken, [&](unsigned part) { return (part & ~changes) == 0; }))
      continue;
    if (std::optional<Candidate> candidate = make(changes, typeRow)) {
      taken.push_back(changes);
      found.push_back(std::move(*candidate));
    }
  }
  llvm::stable_sort(found, [](const Candidate &a, const Candidate &b) {
    return std::pair(changesResults(a.fix), a.fix.cycles) < std::pair(changesResults(b.fix), b.fix.cycles);
  });
  return found;
}

void findFixes(ScheduleRefusal &refusal, ArrayRef<NeedsAttr> variants, const ShapeKey &key, unsigned typeRow,
               const ContractSchedule &author, const Target &target) {
  FixSearch search(variants, key, author, target);
  std::vector<Candidate> found = search.run(typeRow);
  for (const Candidate &candidate : found)
    refusal.fixes.push_back(candidate.fix);
  if (found.empty())
    return;
  auto isCheapest = [&](const Target &changed) {
    int64_t first = search.cyclesOf(found.front(), changed);
    return llvm::all_of(found, [&](const Candidate &other) {
      return changesResults(other.fix) != changesResults(found.front().fix) || first <= search.cyclesOf(other, changed);
    });
  };
  for (std::string_view figure : decidingFigures(target, isCheapest))
    refusal.dependsOn.emplace_back(figure);
}

} // namespace opc
