// What would make a kernel fit: every change that is offered fits, no part of one does, and the order is
// that of the costs.

#include "lowering/schedule/ScheduleFixes.h"
#include "ops/contract/write/WriteSchedule.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace opc;
using opc::aicore::NeedsAttr;

namespace {

class ScheduleFixes : public testing::Test {
protected:
  ScheduleFixes() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<aicore::AICoreDialect>();
    key.kind = ShapeKey::Flat;
    key.name = "flat";
  }

  /// A body with this many bits for each element of a tile, half of them second slots.
  NeedsAttr needs(int64_t bits, bool alias = false, int64_t expansion = 32, int64_t ops = 1) {
    return NeedsAttr::get(&context, bits, 0, bits / 2, 0, 0, 3, 2, 8, 4, 4, false, alias, expansion, 1, ops, 0,
                          64 * ops, 1000, 1000, 2, /*folds_lanes=*/false);
  }
  static ScheduleKnob knob(int64_t value) { return {value, {"own.yaml", 3, 5}, true}; }

  std::vector<std::string> find(ArrayRef<NeedsAttr> variants) {
    refusal = ScheduleRefusal();
    findFixes(refusal, variants, key, /*typeRow=*/0, author, target);
    std::vector<std::string> texts;
    for (const ScheduleFix &fix : refusal.fixes) {
      texts.push_back(knobsText(fix.entry));
      EXPECT_LE(fix.ubBytes, target.ubBytes());
      EXPECT_GT(fix.cycles, 0);
      EXPECT_EQ(fix.entry.typeRow, 0u);
      EXPECT_EQ(fix.entry.key, key.number);
    }
    return texts;
  }

  MLIRContext context;
  const Target &target = *findTarget("Ascend310B1");
  ShapeKey key;
  ContractSchedule author;
  ScheduleRefusal refusal;
};

using Texts = std::vector<std::string>;

} // namespace

// A tile that is too large: a smaller one, one slot, results over loads, float16; what changes results is the last,
// whatever it costs.
TEST_F(ScheduleFixes, EachKnob) {
  author.tile = knob(16384);
  Texts texts = find({needs(192), needs(120, true), needs(120, false, 16)});
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts.back(), "'expansion: float16'");
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"'alias: true'", "'expansion: float16'", "'slots: 1'", "'tile: 10496'"}));
  for (size_t i = 0; i + 2 < refusal.fixes.size(); ++i)
    EXPECT_LE(refusal.fixes[i].cycles, refusal.fixes[i + 1].cycles);
}

// The tile that is offered is the largest: one unit more takes more than UB.
TEST_F(ScheduleFixes, LargestTile) {
  author.tile = knob(1 << 20);
  ASSERT_EQ(find({needs(192)}), (Texts{"'tile: 10496'"}));
  author.tile = knob(10496);
  EXPECT_NE(chooseSchedule(needs(192), key, author, target).schedule, nullptr);
  author.tile = knob(10496 + 256);
  EXPECT_EQ(chooseSchedule(needs(192), key, author, target).schedule, nullptr);
}

// Where no knob does alone, two do; a set with a part that fits is not offered.
TEST_F(ScheduleFixes, SmallestSets) {
  // 256 elements of 16000 bits are 512000 bytes; halves of halves fit.
  EXPECT_EQ(find({needs(16000), needs(10000, true), needs(10000, false, 16)}),
            (Texts{"'slots: 1', 'alias: true'", "'slots: 1', 'expansion: float16'"}));
  EXPECT_EQ(find({needs(15000), needs(7000, true)}), (Texts{"'alias: true'", "'slots: 1'"}));
}

// The author's other numbers stay; what he has said already is no change.
TEST_F(ScheduleFixes, BesideTheAuthors) {
  author.tile = knob(16384);
  author.slots = knob(1);
  author.alias = knob(1);
  Texts texts = find({needs(384), needs(300, true)});
  EXPECT_EQ(texts, (Texts{"'tile: 13312'"}));
  author.alignment = knob(4096);
  author.tile = knob(13312);
  texts = find({needs(384), needs(300, true)});
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"'alignment: 32'", "'tile: 12800'"}));
}

// One slot has nothing to load first, and the entry says so where the author asked for it.
TEST_F(ScheduleFixes, WithoutPrefetch) {
  author.tile = knob(16384);
  author.prefetch = knob(1);
  Texts texts = find({needs(192)});
  EXPECT_NE(std::find(texts.begin(), texts.end(), "'slots: 1', 'prefetch: false'"), texts.end());
}

// A body that nothing makes fit.
TEST_F(ScheduleFixes, None) {
  EXPECT_TRUE(find({needs(100000)}).empty());
  EXPECT_TRUE(find({needs(100000), needs(90000, true), needs(90000, false, 16)}).empty());
}

// Two ways of nearly the same cost: which is the cheapest rests on assumed figures, and they are named. With one way,
// or one that is much cheaper, nothing is.
TEST_F(ScheduleFixes, NamesDecidingFigures) {
  author.tile = knob(16384);
  find({needs(192)});
  ASSERT_GE(refusal.fixes.size(), 2u);
  auto cheapest = [&](const Target &changed) {
    auto cycles = [&](const ScheduleFix &fix) {
      ContractSchedule asked = author;
      if (fix.entry.tile)
        asked.tile = fix.entry.tile;
      if (fix.entry.slots)
        asked.slots = fix.entry.slots;
      return estimateCycles(needs(192), chooseSchedule(needs(192), key, asked, target).schedule, key, changed);
    };
    return cycles(refusal.fixes[0]) <= cycles(refusal.fixes[1]);
  };
  std::vector<std::string> expected;
  for (const Figure &figure : target.figures())
    if (figure.cost && figure.assumed())
      for (double factor : {0.5, 2.0})
        if (!cheapest(target.withFigure(figure.name, figure.value * factor)) &&
            (expected.empty() || expected.back() != figure.name))
          expected.emplace_back(figure.name);
  EXPECT_EQ(refusal.dependsOn, expected);
  author.slots = knob(1);
  find({needs(384)});
  EXPECT_EQ(refusal.fixes.size(), 1u);
  EXPECT_TRUE(refusal.dependsOn.empty());
}

// What a schedule costs, apart from bytes: waiting for scalars of rows unless the next tile is loaded first; with
// one slot, what of the computation has to be over before DMA goes on; a result over its source, whose store the
// next load waits for.
TEST_F(ScheduleFixes, Estimates) {
  auto cycles = [&](bool readsScalars, bool alias, int64_t reach, int64_t slots, bool prefetch) {
    auto body = NeedsAttr::get(&context, 128, 0, 64, 0, 0, 2, 1, 4, 4, 4, readsScalars, alias, 32, 1, 8, 0, 4096, reach,
                               reach, 2, /*folds_lanes=*/false);
    auto schedule = aicore::ScheduleAttr::get(&context, 8192, 1, slots, prefetch, 32, alias, /*expansion=*/32);
    return estimateCycles(body, schedule, key, target);
  };
  int64_t plain = cycles(false, false, 1000, 2, false);
  EXPECT_GT(cycles(true, false, 1000, 2, false), plain);
  EXPECT_EQ(cycles(true, false, 1000, 2, true), plain);
  EXPECT_EQ(cycles(false, false, 100, 2, false), plain) << "two slots wait for nobody";
  int64_t single = cycles(false, false, 1000, 1, false), early = cycles(false, false, 100, 1, false);
  EXPECT_GT(single, early);
  EXPECT_GE(early, plain);
  EXPECT_GT(cycles(false, true, 100, 1, false), single) << "loads, computes, stores in turns";
}
