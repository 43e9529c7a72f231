#include "ops/contract/domain/Windows.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc {

namespace {

/// Builds the equation of a window.
class Terms {
public:
  explicit Terms(Location location) : location(std::move(location)) {}

  SizeExpression number(int64_t value) const {
    SizeExpression size;
    size.value = value;
    size.location = location;
    return size;
  }
  SizeExpression symbol(const std::string &name) const {
    SizeExpression size;
    size.op = SizeExpression::Symbol;
    size.symbol = name;
    size.location = location;
    return size;
  }
  SizeExpression of(SizeExpression::Op op, std::vector<SizeExpression> operands) const {
    SizeExpression size;
    size.op = op;
    size.operands = std::move(operands);
    size.location = location;
    return size;
  }

private:
  Location location;
};

} // namespace

// When rounding up, the last window may extend beyond the padded end, if it begins before the end of the input itself.
SizeExpression placesOf(const ContractWindow &window) {
  using Op = SizeExpression;
  const Terms make(window.stride.location);
  SizeExpression one = make.number(1);
  SizeExpression reach =
      make.of(Op::Mul, {window.dilation, make.of(Op::Sub, {make.symbol(window.size), one})}); // of a window, less 1
  SizeExpression begin = make.of(Op::Add, {make.symbol(window.over), window.padBegin});
  SizeExpression room = make.of(Op::Sub, {make.of(Op::Add, {begin, window.padEnd}), make.of(Op::Add, {reach, one})});
  SizeExpression down = make.of(Op::Add, {make.of(Op::FloorDiv, {room, window.stride}), one});
  if (window.roundUp.op == Op::Const && window.roundUp.value == 0)
    return down;
  SizeExpression up = make.of(Op::Min, {make.of(Op::Add, {make.of(Op::CeilDiv, {room, window.stride}), one}),
                                        make.of(Op::CeilDiv, {begin, window.stride})});
  return make.of(Op::Select, {window.roundUp, up, down});
}

std::optional<int64_t> constantOf(const Contract &contract, const SizeExpression &size) {
  if (size.op == SizeExpression::Const)
    return size.value;
  if (size.op == SizeExpression::Symbol)
    return valueOfSize(contract, size.symbol);
  return std::nullopt;
}

/// Reads the numbers of a window. Returns the reason if there are none.
static std::string readNumbers(const Contract &contract, const ContractWindow &window, AxisWindow &axis) {
  struct Number {
    const char *name;
    const SizeExpression &size;
    int64_t least;
    int64_t *value;
  };
  const std::set<std::string> symbols = symbolsOf(contract);
  int64_t padEnd = 0;
  for (const Number &each :
       {Number{"stride", window.stride, 1, &axis.stride}, Number{"dilation", window.dilation, 1, &axis.dilation},
        Number{"pad_begin", window.padBegin, 0, &axis.padBegin}, Number{"pad_end", window.padEnd, 0, &padEnd}}) {
    const std::string what = "'" + std::string(each.name) + "' of the window over '" + window.over + "'";
    if (each.size.op == SizeExpression::Symbol && symbols.count(each.size.symbol) != 0)
      return what + " is '" + each.size.symbol + "', which is a dimension too: give the attribute another name";
    std::optional<int64_t> value = constantOf(contract, each.size);
    if (!value)
      return what + " has no value when compiling";
    if (*value < each.least || *value > kLargestWindowStep)
      return what + " has to be from " + std::to_string(each.least) + " to " + std::to_string(kLargestWindowStep) +
             ", it is " + std::to_string(*value);
    *each.value = *value;
  }
  return {};
}

std::optional<WindowedInput> windowsOf(const Contract &contract, std::string &reason) {
  std::optional<WindowedInput> windows;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    const ContractTensor &input = contract.inputs[i];
    WindowedInput own{i, {}};
    for (const ContractDim &dim : input.shape) {
      const ContractDimension *places = nullptr;
      for (const ContractDimension &each : contract.dimensions)
        if (each.window && dim.kind == ContractDim::Symbol && each.window->over == dim.name) {
          if (places)
            return reason = "'" + places->name + "' and '" + each.name + "' are windows over one dimension, '" +
                            dim.name + "'",
                   std::nullopt;
          places = &each;
        }
      if (!places && !own.axes.empty())
        return reason = "'" + printDim(dim) + "' of '" + input.name + "' follows '" + own.axes.back().over.name +
                        "', which a window moves over: windows are over the last dimensions",
               std::nullopt;
      if (!places)
        continue;
      AxisWindow axis;
      axis.over = dim;
      axis.size.name = places->window->size;
      axis.places.name = places->name;
      axis.size.location = axis.places.location = dim.location;
      reason = readNumbers(contract, *places->window, axis);
      if (!reason.empty())
        return std::nullopt;
      own.axes.push_back(std::move(axis));
    }
    if (own.axes.empty())
      continue;
    if (own.axes.size() > kMostWindows)
      return reason = "windows move over " + std::to_string(own.axes.size()) + " dimensions of '" + input.name +
                      "', at most " + std::to_string(kMostWindows) + " are served",
             std::nullopt;
    if (windows)
      return reason = "'" + contract.inputs[windows->tensor].name + "' and '" + input.name + "' both have windows",
             std::nullopt;
    windows = std::move(own);
  }
  return windows;
}

std::vector<ContractDim> windowShape(const std::vector<ContractDim> &shape, const WindowedInput &windows) {
  std::vector<ContractDim> result(shape.begin(), shape.end() - ptrdiff_t(windows.axes.size()));
  for (const AxisWindow &axis : windows.axes)
    result.push_back(axis.size);
  for (const AxisWindow &axis : windows.axes)
    result.push_back(axis.places);
  return result;
}

} // namespace opc
