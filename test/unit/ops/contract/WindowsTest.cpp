// Windows in contracts: how many places a window has, which contracts bodies can take windows of, and why not others.

#include "ops/contract/domain/Windows.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/check/Devices.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opc;
using testing::HasSubstr;

static SizeExpression number(int64_t value) {
  SizeExpression size;
  size.value = value;
  return size;
}

// A window that moves step by step, as ONNX's page of MaxPool has it, against the equation.
TEST(Windows, HaveAsManyPlacesAsAWalkFinds) {
  size_t compared = 0;
  for (int64_t length = 0; length < 9; ++length)
    for (int64_t size = 1; size < 5; ++size)
      for (int64_t stride = 1; stride < 5; ++stride)
        for (int64_t dilation = 1; dilation < 3; ++dilation)
          for (int64_t begin = 0; begin < 3; ++begin)
            for (int64_t end = 0; end < 3; ++end)
              for (bool roundUp : {false, true}) {
                const int64_t reach = dilation * (size - 1) + 1, padded = length + begin + end;
                if (reach > padded)
                  continue; // no place, or a negative number of them, which a launch refuses
                int64_t places = 0, at = 0;
                for (; at + reach <= padded; at += stride)
                  ++places;
                // A last one that is partly beyond the padding begins within the input or the padding before it.
                if (roundUp && at - stride + reach < padded && at < length + begin)
                  ++places;
                ContractWindow window;
                window.over = "H";
                window.size = "K";
                window.stride = number(stride);
                window.dilation = number(dilation);
                window.padBegin = number(begin);
                window.padEnd = number(end);
                window.roundUp = number(roundUp);
                int64_t found = -1;
                ASSERT_EQ(evaluate(placesOf(window), {{"H", length}, {"K", size}}, found), EvalStatus::Ok);
                // Without an input there is nothing to begin in.
                if (roundUp && length + begin < stride * (places - 1) + 1)
                  continue;
                EXPECT_EQ(found, places) << length << " by " << size << " stride " << stride << " dilation " << dilation
                                         << " padding " << begin << ", " << end << (roundUp ? " rounded up" : "");
                ++compared;
              }
  EXPECT_GT(compared, 2000u);
}

namespace {

/// A contract of the maxima of windows; `change` breaks it.
Contract poolWith(const std::function<void(Contract &)> &change) {
  auto dim = [](const std::string &name) {
    ContractDim made;
    made.name = name;
    return made;
  };
  auto tensor = [&](const std::string &name, const std::vector<std::string> &shape) {
    ContractTensor made;
    made.name = name;
    made.types = {ElementType::Float32};
    for (const std::string &each : shape)
      made.shape.push_back(dim(each));
    return made;
  };
  Contract contract;
  contract.inputs = {tensor("x", {"N", "H", "W"})};
  contract.outputs = {tensor("y", {"N", "P", "Q"})};
  for (auto [size, places, over] : {std::tuple("I", "P", "H"), std::tuple("J", "Q", "W")}) {
    ContractDimension ofSize, ofPlaces;
    ofSize.name = size;
    ofSize.equals = number(3);
    ofPlaces.name = places;
    ofPlaces.window.emplace();
    ofPlaces.window->over = over;
    ofPlaces.window->size = size;
    ofPlaces.window->stride = ofPlaces.window->dilation = number(1);
    ofPlaces.equals = placesOf(*ofPlaces.window);
    contract.dimensions.push_back(ofSize);
    contract.dimensions.push_back(ofPlaces);
  }
  ContractBody body;
  body.level = BodyLevel::Te;
  body.axes = {"I", "J"};
  contract.bodies = {body};
  change(contract);
  return contract;
}

/// More dimensions with windows of 2, before the others.
void moveOver(Contract &contract, const std::vector<std::string> &dims) {
  for (auto name = dims.rbegin(); name != dims.rend(); ++name) {
    ContractDimension ofSize = contract.dimensions[0], ofPlaces = contract.dimensions[1];
    ofSize.name = "K" + *name;
    ofSize.equals = number(2);
    ofPlaces.name = *name + "o";
    ofPlaces.window->over = *name;
    ofPlaces.window->size = ofSize.name;
    ofPlaces.equals = placesOf(*ofPlaces.window);
    contract.dimensions.push_back(ofSize);
    contract.dimensions.push_back(ofPlaces);
    ContractDim over, places;
    over.name = *name;
    places.name = ofPlaces.name;
    contract.inputs[0].shape.insert(contract.inputs[0].shape.begin() + 1, over);
    contract.outputs[0].shape.insert(contract.outputs[0].shape.begin() + 1, places);
    contract.bodies[0].axes.insert(contract.bodies[0].axes.begin(), ofSize.name);
  }
}

std::string reasonOf(const Contract &contract) {
  std::string reason;
  std::optional<ContractKind> kind = contractKind(contract, reason);
  EXPECT_FALSE(kind) << "expected a reason";
  return reason;
}

} // namespace

TEST(Windows, AreDimensionsOfTheDomain) {
  const Contract contract = poolWith([](Contract &) {});
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  ASSERT_TRUE(domain) << reason;
  EXPECT_EQ(printShape(domain->shapes[0]), "[N, I, J, P, Q]");
  ASSERT_EQ(shapeKeys(contract).size(), 1u);
  const ShapeKey key = shapeKeys(contract).front();
  EXPECT_EQ(key.name, "windows");
  EXPECT_EQ(key.operands[0].dims, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(key.operands[1].dims, (std::vector<int>{-1, -1, 2}));
}

// A third dimension adds elements to a window and places to a result, and no loop.
TEST(Windows, OfVolumesHaveTheLoopsOfThoseOfPlanes) {
  const Contract contract = poolWith([](Contract &c) { moveOver(c, {"D"}); });
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  ASSERT_TRUE(domain) << reason;
  EXPECT_EQ(printShape(domain->shapes[0]), "[N, KD, I, J, Do, P, Q]");
  ASSERT_EQ(shapeKeys(contract).size(), 1u);
  EXPECT_EQ(shapeKeys(contract).front().name, "windows");
  EXPECT_EQ(shapeKeys(contract).front().operands[0].dims, (std::vector<int>{0, 1, 2}));
}

// Products of windows have a key for the cube and one for the vector unit, which only type rows of the cube need:
// packed filters are for the cube alone, and windows with a filter each for the vector unit alone.
TEST(Windows, AreMultipliedByOneOfTwoUnits) {
  auto filters = [](std::vector<std::string> shape) {
    return [shape = std::move(shape)](Contract &c) {
      c.inputs[0].shape.insert(c.inputs[0].shape.begin() + 1, c.inputs[0].shape.front());
      c.inputs[0].shape[1].name = "C";
      ContractTensor w = c.inputs[0];
      w.name = "w";
      w.shape.clear();
      for (const std::string &name : shape) {
        w.shape.push_back(c.inputs[0].shape.front());
        w.shape.back().name = name;
      }
      c.inputs.push_back(w);
      ContractDim filter = c.inputs[0].shape.front();
      filter.name = shape.front();
      c.outputs[0].shape.insert(c.outputs[0].shape.begin() + 1, filter);
      c.bodies[0].multiplies = true;
      c.bodies[0].axes = shape.size() == 4 ? std::vector<std::string>{"C", "I", "J"} : c.bodies[0].axes;
      c.bodies[0].summed = c.bodies[0].axes;
    };
  };
  auto names = [](const Contract &contract) {
    std::string all;
    for (const ShapeKey &key : shapeKeys(contract))
      all += key.name + (hasKeyOnAicore(contract, key, 0) ? "" : " (none)") + (key.isOfAicore() ? "! " : " ");
    return all;
  };
  Contract planes = poolWith(filters({"M", "C", "I", "J"}));
  planes.dimensions[1].window->padBegin = planes.dimensions[3].window->padBegin = number(1);
  EXPECT_EQ(names(planes), "contraction contraction_wide! ");
  planes.inputs[0].types = planes.inputs[1].types = planes.outputs[0].types = {ElementType::Float32};
  planes.inputs[1].formats = {"FILTERS_NZ"};
  EXPECT_EQ(names(planes), "contraction contraction_wide (none)! ");
  EXPECT_EQ(names(poolWith(filters({"C", "I", "J"}))), "contraction ");
}

TEST(Windows, SayWhyBodiesCannotTakeThem) {
  using Change = std::function<void(Contract &)>;
  auto window = [](Contract &c, size_t i) -> ContractWindow & { return *c.dimensions[i].window; };
  const std::vector<std::pair<Change, std::string>> cases = {
      {[&](Contract &c) { window(c, 1).stride.value = 0; }, "'stride' of the window over 'H' has to be from 1 to"},
      {[&](Contract &c) { window(c, 1).dilation.value = -1; }, "'dilation' of the window over 'H' has to be from 1"},
      {[&](Contract &c) { window(c, 3).padBegin.value = -1; }, "'pad_begin' of the window over 'W' has to be from 0"},
      {[&](Contract &c) { window(c, 3).padEnd.value = int64_t(1) << 40; }, "'pad_end' of the window over 'W'"},
      {[&](Contract &c) { c.dimensions[0].equals->value = 0; },
       "the size of the windows over 'H', has to be at least 1"},
      {[&](Contract &c) { c.dimensions[0].equals->value = 2049; }, "reach over more than 2048 elements"},
      {[&](Contract &c) { window(c, 1).dilation.value = 1000; }, "reach over more than 2048 elements"},
      {[&](Contract &c) {
         window(c, 1).stride.op = SizeExpression::Symbol;
         window(c, 1).stride.symbol = "N";
         ContractAttribute stride;
         stride.name = "N";
         stride.type = AttributeType::Int;
         stride.defaultValue = int64_t(2);
         c.attributes.push_back(stride);
       },
       "'stride' of the window over 'H' is 'N', which is a dimension too"},
      {[&](Contract &c) { window(c, 3).over = "H"; }, "are windows over one dimension, 'H'"},
      {[&](Contract &c) { std::swap(c.inputs[0].shape[0], c.inputs[0].shape[2]); }, "windows are over the last"},
      {[&](Contract &c) { c.bodies[0].axes = {"I"}; }, "bodies reduce these and no others"},
      {[&](Contract &c) { c.bodies[0].axes = {}; }, "bodies reduce these and no others"},
      {[&](Contract &c) { c.bodies[0].axes = {"N", "I", "J"}; }, "bodies reduce these and no others"},
      {[&](Contract &c) { c.inputs.push_back(c.inputs[0]); }, "both have windows"},
      {[&](Contract &c) { moveOver(c, {"D", "E"}); }, "windows move over 4 dimensions of 'x', at most 3 are served"},
      {[&](Contract &c) {
         moveOver(c, {"D"});
         c.bodies[0].axes = {"I", "J"};
       },
       "have the dimensions [KD, I, J], and bodies reduce these and no others"},
      {[&](Contract &c) {
         SizeExpression element;
         element.op = SizeExpression::Symbol;
         element.symbol = "strides[2]";
         ContractAttribute strides;
         strides.name = "strides";
         strides.type = AttributeType::ListInt;
         strides.defaultValue = std::vector<int64_t>{1, 2};
         c.attributes.push_back(strides);
         c.dimensions[0].equals = element;
       },
       "'strides[2]', of the equation of 'I', has no value when compiling"},
  };
  for (const auto &[change, expected] : cases)
    EXPECT_THAT(reasonOf(poolWith(change)), HasSubstr(expected));
}
