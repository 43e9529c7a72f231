#include "tools/opc/test/TestCases.h"

#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "runtime/core/tensor/Tensor.h"

#include <algorithm>
#include <map>
#include <optional>

namespace opc::tool {

const std::vector<int64_t> &defaultTestSizes() {
  static const std::vector<int64_t> sizes = {0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 4095, 4096, 65537, 1000003};
  return sizes;
}

/// Maximum number of elements of a gathered result.
static constexpr int64_t kMostGathered = int64_t(1) << 18;

/// The shapes of all inputs when packs are `pack` and free symbols have these sizes; nullopt if a symbol has none, or
/// an input too many elements.
static std::optional<std::vector<Shape>> shapesWith(const Contract &contract, const Shape &pack,
                                                    std::map<std::string, int64_t> symbols) {
  // Solve symbols with an equation, repeatedly, until each one's operands are known.
  const std::vector<SizeEquation> equations = equationsOf(contract);
  for (size_t round = 0; round < equations.size(); ++round)
    for (const SizeEquation &equation : equations) {
      int64_t value = 0;
      if (!symbols.count(equation.name) && evaluate(equation.value, symbols, value) == EvalStatus::Ok)
        symbols[equation.name] = value;
    }
  auto shapeOf = [&](const ContractTensor &tensor) -> std::optional<Shape> {
    Shape shape;
    for (const ContractDim &dim : tensor.shape) {
      if (dim.kind == ContractDim::Pack)
        shape.insert(shape.end(), pack.begin(), pack.end());
      else if (dim.kind == ContractDim::Fixed)
        shape.push_back(dim.size);
      else if (auto symbol = symbols.find(dim.name); symbol != symbols.end())
        shape.push_back(symbol->second);
      else
        return std::nullopt;
    }
    return shape;
  };
  std::vector<Shape> shapes;
  bool areApart = std::any_of(contract.bodies.begin(), contract.bodies.end(),
                              [](const ContractBody &body) { return !body.gathers.empty(); });
  for (const ContractTensor &tensor : contract.inputs) {
    std::optional<Shape> shape = shapeOf(tensor);
    if (!shape || checkedElements(*shape).value_or(INT64_MAX) > kMostElements)
      return std::nullopt;
    areApart |= bool(tensor.values);
    shapes.push_back(std::move(*shape));
  }
  // Gathered results grow with a product of sizes of separate inputs.
  for (const ContractTensor &tensor : contract.outputs)
    if (std::optional<Shape> shape = shapeOf(tensor); areApart && shape)
      if (shape->size() > kMaxRank || checkedElements(*shape).value_or(INT64_MAX) > kMostGathered)
        return std::nullopt;
  return shapes;
}

/// The symbols of the inputs that no equation gives, in the order of their first appearance.
static std::vector<std::string> freeSymbols(const Contract &contract) {
  std::vector<std::string> names;
  for (const ContractTensor &tensor : contract.inputs)
    for (const ContractDim &dim : tensor.shape)
      for (const ContractDim &leaf : leavesOf(dim)) {
        const ContractDimension *rule = contract.findDimension(leaf.name);
        if (leaf.kind == ContractDim::Symbol && !(rule && rule->equals) &&
            std::find(names.begin(), names.end(), leaf.name) == names.end())
          names.push_back(leaf.name);
      }
  return names;
}

/// The shapes of all inputs when packs are `pack` and one free symbol is `size`, or `last` if there is also a pack; the
/// other free symbols are small. It is the first symbol, or the last one if dimensions are products, whose outer
/// factors are usually small: a million of them would be a million iterations.
static std::optional<std::vector<Shape>> instantiateShapes(const Contract &contract, const Shape &pack, int64_t size,
                                                           int64_t last = 3) {
  bool hasPack = false, hasProducts = false;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape) {
        hasPack |= tensors == &contract.inputs && dim.kind == ContractDim::Pack;
        hasProducts |= !dim.factors.empty() || !dim.terms.empty();
      }
  const std::vector<std::string> names = freeSymbols(contract);
  std::map<std::string, int64_t> symbols;
  for (size_t i = 0; i < names.size(); ++i) {
    const ContractDimension *rule = contract.findDimension(names[i]);
    bool takesSize = !hasPack && i == (hasProducts ? names.size() - 1 : 0);
    symbols[names[i]] =
        takesSize ? size : std::clamp<int64_t>(last, rule ? rule->minimum : 0, rule ? rule->maximum : INT64_MAX);
  }
  return shapesWith(contract, pack, std::move(symbols));
}

/// The sizes of a launch with inputs of these shapes; nullopt if the contract refuses them.
static std::optional<ShapeBinding> bindingOf(const Contract &contract, const std::vector<Shape> &shapes) {
  std::vector<std::optional<Shape>> inputs(shapes.begin(), shapes.end());
  ShapeBinding binding;
  return bindShapes(contract, inputs, binding).empty() ? std::optional(std::move(binding)) : std::nullopt;
}

/// Sizes of a Grid key's loops (m, n): more and fewer elements than a block, a long row, many short rows.
static const std::vector<std::pair<int64_t, int64_t>> kGrids = {{5, 33}, {2, 4096}, {300, 7}, {3, 20011}};
/// Shapes of outputs for the key `any`: up to eight loops, short and long rows, more elements than a block.
static const std::vector<Shape> kLaunches = {{2, 3, 2, 3, 2},          {3, 2, 5, 2, 3, 70}, {2, 3, 1, 2, 5, 2, 3},
                                             {2, 2, 3, 2, 2, 2, 2, 3}, {2, 3, 2, 33, 130},  {37, 129}};
constexpr int64_t kManyRows = 5003;
/// Lengths of rows, and the number of rows of each length.
static const std::vector<std::pair<int64_t, int64_t>> kRows = {{1, 1},      {1031, 1}, {300, 7}, {3, 4096},
                                                               {2, 100000}, {1, 4097}, {65, 129}};

/// The shape of an operand of a key whose loops have these sizes. With `trim` leading dimensions of size 1 are
/// omitted, which is equivalent since NumPy aligns to the right.
static Shape operandShape(const ShapeKey::Operand &operand, const std::vector<int64_t> &sizes, const Shape &front,
                          bool trim) {
  Shape shape;
  bool scalar = true;
  for (int dim : operand.dims) {
    shape.push_back(dim < 0 ? 1 : sizes[size_t(dim)]);
    scalar &= dim < 0;
  }
  if (scalar)
    return trim ? Shape() : Shape(shape.size(), 1);
  if (trim)
    while (!shape.empty() && shape.front() == 1)
      shape.erase(shape.begin());
  bool full = std::none_of(operand.dims.begin(), operand.dims.end(), [](int dim) { return dim < 0; });
  if (full)
    shape.insert(shape.begin(), front.begin(), front.end());
  return shape;
}

namespace {
/// Collects cases.
class CaseList {
public:
  CaseList(const Contract &contract, const TestPlan &plan, size_t &refused)
      : contract(contract), plan(plan), refused(refused) {
    refused = 0;
    for (const ContractTensor &tensor : contract.inputs)
      for (const ContractDim &dim : tensor.shape)
        hasPack |= dim.kind == ContractDim::Pack;
    std::string reason;
    kind = contractKind(contract, reason);
    for (const ContractTensor &output : contract.outputs)
      if (output.reduces)
        reduction = &*output.reduces;
  }

  void addSizes();
  void addPacks();
  void addPatterns();
  void addLaunches(const ShapeKey &key);
  void addRows();
  void addDomain();
  void addProducts();
  void addPanels(const std::vector<std::string> &names, bool reducesRows);
  void addBatches(const std::vector<std::string> &names);
  void addAxes();
  void addOwn();
  void addOnly();
  std::vector<TestCase> cases;

private:
  void add(const std::optional<std::vector<Shape>> &shapes, const std::vector<int64_t> &axes = {},
           bool keepDims = false);

  const Contract &contract;
  const TestPlan &plan;
  size_t &refused;
  bool hasPack = false;
  std::optional<ContractKind> kind;
  const ContractReduction *reduction = nullptr;
};
} // namespace

/// The elements of the largest of these shapes.
static int64_t mostElementsOf(const std::vector<Shape> &shapes) {
  int64_t most = 0;
  for (const Shape &shape : shapes)
    most = std::max(most, checkedElements(shape).value_or(INT64_MAX));
  return most;
}

/// The elements of the largest output that declares its shape; 0 without one.
static int64_t mostResultsOf(const Contract &contract, const ShapeBinding &binding) {
  std::vector<Shape> shapes;
  std::string reason;
  for (const ContractTensor &output : contract.outputs)
    if (!output.isReduced())
      if (std::optional<Shape> shape = outputShape(output, binding, reason))
        shapes.push_back(*std::move(shape));
  return mostElementsOf(shapes);
}

static bool hasEmpty(const std::vector<Shape> &shapes) {
  return std::any_of(shapes.begin(), shapes.end(), [](const Shape &shape) { return checkedElements(shape) == 0; });
}

void CaseList::add(const std::optional<std::vector<Shape>> &shapes, const std::vector<int64_t> &axes, bool keepDims) {
  const std::optional<ShapeBinding> binding = shapes ? bindingOf(contract, *shapes) : std::nullopt;
  if (!binding) {
    ++refused;
    return;
  }
  const int64_t size = mostElementsOf(*shapes);
  if (std::max(size, mostResultsOf(contract, *binding)) > plan.mostElements)
    return;
  TestCase testCase{*shapes, plan.seed, false, axes, {}};
  if (reduction && !reduction->keepDims.empty())
    testCase.keepDims = keepDims;
  unsigned seeds = size <= kManySeeds ? plan.seeds : plan.largeSeeds;
  // Every result of a matrix product is a sum over k of random numbers.
  if (kind == ContractKind::Contraction)
    seeds = std::max(1u, seeds / 3);
  for (unsigned i = 0; i < seeds; ++i) {
    testCase.seed = plan.seed + i;
    cases.push_back(testCase);
  }
  // One case of special values, two when attributes differ between even and odd seeds.
  testCase.special = true;
  bool varies = std::any_of(contract.attributes.begin(), contract.attributes.end(),
                            [](const ContractAttribute &attribute) { return attribute.binding == Binding::Launch; });
  if (size >= 1024 && size <= 100000)
    for (unsigned i = 0; i < (varies ? 2u : 1u); ++i) {
      testCase.seed = plan.seed + i;
      cases.push_back(testCase);
    }
}

/// The shapes of all inputs when windows move over one plane, whose rows have `size` elements.
static std::optional<std::vector<Shape>> longPlane(const Contract &contract, const WindowedInput &windows,
                                                   int64_t size) {
  std::map<std::string, int64_t> symbols;
  for (const std::string &name : freeSymbols(contract)) {
    const ContractDimension *rule = contract.findDimension(name);
    symbols[name] = rule ? std::max<int64_t>(rule->minimum, 1) : 1;
  }
  for (const AxisWindow &axis : windows.axes)
    symbols[axis.over.name] = &axis == &windows.axes.back() ? size : 3;
  return shapesWith(contract, {}, std::move(symbols));
}

// Matrix products have other critical sizes (addProducts): a third of these is enough for them. Large sizes are of one
// line that is sorted, or of one plane: the AI Core sorts 2048 elements for each line, and takes a thousand scalar
// instructions for a plane of one element, so a million of them exceed what the simulator runs.
void CaseList::addSizes() {
  const size_t step = kind == ContractKind::Contraction ? 3 : 1;
  std::string reason;
  const bool hasDomain = kind == ContractKind::Domain || kind == ContractKind::Contraction;
  const std::optional<Domain> domain = hasDomain ? domainOf(contract, reason) : std::nullopt;
  for (size_t i = 0; i < plan.sizes.size(); i += step) {
    const int64_t size = plan.sizes[i];
    if (domain && domain->sorts && size > kManySeeds) {
      add(instantiateShapes(contract, {1}, size, size));
      continue;
    }
    if (domain && domain->windows && size > kManySeeds) {
      add(longPlane(contract, *domain->windows, size));
      continue;
    }
    add(kind == ContractKind::Rows && hasPack ? instantiateShapes(contract, {}, size, size)
                                              : instantiateShapes(contract, {size}, size, size > kManySeeds ? 1 : 3));
  }
}

void CaseList::addPacks() {
  if (!hasPack || !plan.shapes)
    return;
  for (const Shape &pack :
       {Shape{}, Shape{3, 0, 2}, Shape{5, 33}, Shape{2, 3, 17}, Shape{2, 3, 4, 5}, Shape{2, 1, 3, 2, 5},
        Shape{2, 3, 1, 2, 2, 3}, Shape{1, 2, 3, 1, 2, 2, 2}, Shape{2, 1, 2, 2, 1, 2, 3, 2}})
    // A pack next to a symbol can have one dimension less.
    if (kind != ContractKind::Rows || pack.size() < kMaxRank)
      add(instantiateShapes(contract, pack, 3));
}

/// How an input of the key `any` varies along the dimensions of a launch.
enum Variation { Even, Odd, One, Full, Row, Column };

static Shape variedShape(const Shape &whole, Variation variation) {
  Shape shape = whole;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    const bool isLast = dim + 1 == whole.size();
    const bool moves[] = {dim % 2 == 0, dim % 2 == 1, false, true, isLast, !isLast};
    if (!moves[variation])
      shape[dim] = 1;
  }
  return shape;
}

// Launches of the key `any`: the first broadcasting input broadcasts along every other dimension, so that there are as
// many loops as dimensions; the second broadcasts along the others, or is full; further ones are row, column, one, full
// or alternate too. Beside them the first two are columns, or row and column, of two dimensions.
void CaseList::addLaunches(const ShapeKey &key) {
  auto shapesOf = [&](const Shape &whole, auto variationOf, bool trim) {
    size_t place = 0;
    std::vector<Shape> shapes;
    for (size_t i = 0; i < contract.inputs.size(); ++i) {
      const ShapeKey::Operand &operand = key.operands[i];
      const bool isOne = !operand.isOfLaunch && operand.dims.front() < 0;
      Shape shape = isOne ? Shape() : variedShape(whole, operand.isOfLaunch ? variationOf(place++) : Full);
      while (trim && !shape.empty() && shape.front() == 1)
        shape.erase(shape.begin());
      shapes.push_back(std::move(shape));
    }
    return shapes;
  };
  size_t number = 0;
  for (const Shape &whole : kLaunches) {
    auto alternating = [&](size_t place) {
      static constexpr Variation kFurther[] = {Row, Column, One, Full, Even};
      return place == 0   ? Variation(number % 2)
             : place > 1  ? kFurther[(place + number) % 5]
             : number < 2 ? Variation(1 - number % 2)
                          : Full;
    };
    add(shapesOf(whole, alternating, false));
    ++number;
  }
  for (auto [m, n] : kGrids)
    for (auto [first, second] : {std::pair(Full, Column), {Column, Full}, {Row, Column}, {Column, Row}})
      add(shapesOf(
          {m, n},
          [&, first = first, second = second](size_t place) { return place == 0   ? first
                                                                     : place == 1 ? second
                                                                                  : Full; },
          m % 2));
  // As many rows as a tile can have.
  add(shapesOf({kManyRows, 7}, [](size_t place) { return place == 0 ? Row : place == 1 ? Column : Full; }, true));
}

void CaseList::addPatterns() {
  if (kind != ContractKind::Elementwise || !plan.shapes)
    return;
  for (const ShapeKey &key : shapeKeys(contract)) {
    if (key.number == 0)
      continue; // all inputs full: covered by sizes and packs
    if (key.kind == ShapeKey::Any) {
      addLaunches(key);
      continue;
    }
    auto shapesOf = [&](const std::vector<int64_t> &sizes, const Shape &front, bool trim) {
      std::vector<Shape> shapes;
      for (size_t i = 0; i < contract.inputs.size(); ++i)
        shapes.push_back(operandShape(key.operands[i], sizes, front, trim));
      return shapes;
    };
    if (key.kind == ShapeKey::Flat) {
      add(shapesOf({33}, {}, true));
      add(shapesOf({4097}, {}, false));
      continue;
    }
    for (auto [m, n] : kGrids)
      add(shapesOf({m, n}, {}, m % 2));
    // Leading dimensions that do not coalesce become batch loops around the kernel. When two inputs broadcast against
    // each other, no full input can have them.
    bool anyFull = std::any_of(key.operands.begin(), key.operands.begin() + contract.inputs.size(),
                               [](const ShapeKey::Operand &operand) { return operand.dims == std::vector<int>{0, 1}; });
    if (anyFull)
      add(shapesOf({4, 19}, {3}, false));
  }
}

void CaseList::addRows() {
  if (kind != ContractKind::Rows || !plan.shapes || !hasPack)
    return;
  for (auto [count, length] : kRows)
    add(instantiateShapes(contract, {count}, 0, length));
}

// Each dimension of a domain with size 1 and with another size, which gives all patterns of loops; a few long ones.
void CaseList::addDomain() {
  if (kind != ContractKind::Domain || !plan.shapes)
    return;
  const std::vector<std::string> names = freeSymbols(contract);
  constexpr size_t mostNames = 4;
  auto each = [&](const std::vector<int64_t> &sizes, const std::vector<Shape> &packs) {
    size_t free = std::min(names.size(), mostNames);
    for (unsigned ones = 0; ones < 1u << free; ++ones) {
      std::map<std::string, int64_t> symbols;
      for (size_t i = 0; i < names.size(); ++i)
        symbols[names[i]] = i < free && (ones >> i & 1) ? 1 : sizes[i % sizes.size()];
      for (const Shape &pack : packs)
        add(shapesWith(contract, pack, symbols));
    }
  };
  each({3, 5, 7, 2}, hasPack ? std::vector<Shape>{{}, {1}, {6, 11}} : std::vector<Shape>{{}});
  each({2, 37, 3, 130}, hasPack ? std::vector<Shape>{{129}} : std::vector<Shape>{{}});
}

// Matrix products: each dimension with size 1, and sizes on both sides of a register tile, of a panel and of a part of
// k.
void CaseList::addProducts() {
  if (kind != ContractKind::Contraction || !plan.shapes)
    return;
  const std::vector<std::string> names = freeSymbols(contract);
  auto one = [&](const std::vector<int64_t> &sizes, const Shape &pack) {
    std::map<std::string, int64_t> symbols;
    for (size_t i = 0; i < names.size(); ++i)
      symbols[names[i]] = sizes[i % sizes.size()];
    add(shapesWith(contract, pack, symbols));
  };
  for (size_t unit = 0; unit < std::min<size_t>(names.size(), 4); ++unit) {
    std::vector<int64_t> sizes = {3, 5, 7, 2};
    sizes[unit] = 1;
    one(sizes, {});
  }
  // Rows of results that are reduced are whole in a tile of the AI Core: of float32 up to 256 elements.
  const std::vector<ShapeKey> keys = shapeKeys(contract);
  const bool reducesRows = std::any_of(keys.begin(), keys.end(), [](const ShapeKey &key) { return key.reduced[1]; });
  for (const std::vector<int64_t> &sizes :
       {std::vector<int64_t>{1, 1, 1}, {13, 70, 49}, {7, 300, 9}, {200, 17, reducesRows ? 250 : 270}, {6, 257, 64}})
    one(sizes, {});
  if (hasPack)
    for (const Shape &pack : {Shape{1}, Shape{2, 3}, Shape{129}})
      one({13, 37, 49, 3}, pack);
  if (reducesRows || std::any_of(keys.begin(), keys.end(), [](const ShapeKey &key) { return key.isResident; }))
    addPanels(names, reducesRows);
  addBatches(names);
}

// Launches that take each kernel of the AI Core with a left panel in L1, whatever its type: up to 256 rows, more rows,
// a k that only panels of 16 rows hold, and more rows with that k, which no panel is worth. No k is whole fractals.
// If rows are reduced: a k for which L1 has no room for the right matrix, with short and with long rows; a whole tile
// of rows and a part of a second one, where nothing has filled the end of k or of the rows before; and a few rows that
// are not the longest.
void CaseList::addPanels(const std::vector<std::string> &names, bool reducesRows) {
  std::string reason;
  const std::optional<Domain> domain = domainOf(contract, reason);
  const std::optional<Contraction> product = domain ? contractionOf(contract, *domain, reason) : std::nullopt;
  if (!product || domain->windows)
    return;
  const int64_t longK = elementSize(contract.inputs[product->left].types.front()) == 1 ? 9001 : 4001;
  const std::vector<std::array<int64_t, 3>> ofPanels = {
      {197, 33, 260}, {197, 33, 1003}, {277, 33, 67}, {16, 300, longK}, {20, 40, longK}};
  const std::vector<std::array<int64_t, 3>> ofRows = {{33, 11, 1109}, {20, 1100, 401}, {16, 251, 21}, {16, 511, 21},
                                                      {16, 1500, 21}, {23, 511, 37},   {7, 700, 21}};
  for (const auto &[m, n, k] : reducesRows ? ofRows : ofPanels) {
    std::map<std::string, int64_t> symbols;
    for (const std::string &name : names)
      symbols[name] = 1;
    auto set = [&](const DomainLoop &loop, int64_t size) {
      if (!loop.dims.empty())
        symbols[domain->dims[loop.dims.back()].name] = size;
    };
    set(product->m, m);
    set(product->n, n);
    set(product->k, k);
    add(shapesWith(contract, {}, std::move(symbols)));
  }
}

/// The shape of an input whose batch broadcasts: 1 along the dimensions of its pack with a bit, and without the first
/// `missing` dimensions.
static Shape batchShape(const ContractTensor &input, const Shape &whole, unsigned stills, size_t missing) {
  Shape shape = whole;
  const size_t rank = whole.size() - (input.shape.size() - 1);
  for (size_t dim = 0; dim < rank; ++dim)
    if (stills >> dim & 1)
      shape[dim] = 1;
  shape.erase(shape.begin(), shape.begin() + ptrdiff_t(std::min(missing, rank)));
  return shape;
}

// Batches that broadcast: along leading and trailing dimensions, shapes that lack them, and up to six loops. ONNX
// Runtime does not broadcast 1 to 0.
void CaseList::addBatches(const std::vector<std::string> &names) {
  const auto stretches = [](const ContractTensor &input) { return input.broadcast == Broadcast::Batch; };
  const size_t count = size_t(std::count_if(contract.inputs.begin(), contract.inputs.end(), stretches));
  struct Launch {
    std::vector<int64_t> sizes; ///< of the free symbols
    Shape pack;
    std::vector<unsigned> stills; ///< of each input that broadcasts, repeated
    std::vector<size_t> missing;
  };
  static const std::vector<Launch> launches = {
      {{13, 37, 49, 3}, {3, 5}, {0, 1}, {0}},     {{13, 37, 49, 3}, {3, 5}, {2, 0}, {0}},
      {{13, 37, 49, 3}, {3, 5}, {0, 3}, {0, 1}},  {{1, 70, 33, 3}, {4, 3}, {0, 3}, {0, 2}},
      {{17, 20, 33, 3}, {2, 3}, {0, 0}, {1, 0}},  {{5, 3, 7, 3}, {2, 3, 2, 2, 3, 2}, {42, 21}, {0}},
      {{4, 9, 18, 2}, {2, 3, 4}, {5, 2}, {0, 1}}, {{3, 5, 7, 2}, {0, 3}, {2, 0}, {0}},
      {{19, 6, 40, 2}, {7}, {1, 0}, {0}},         {{30, 33, 20, 2}, {2, 1, 3}, {4, 0}, {0, 2}}};
  for (const Launch &launch : launches) {
    std::map<std::string, int64_t> symbols;
    for (size_t i = 0; i < names.size(); ++i)
      symbols[names[i]] = launch.sizes[i % launch.sizes.size()];
    std::optional<std::vector<Shape>> shapes = shapesWith(contract, launch.pack, symbols);
    size_t place = 0;
    for (size_t i = 0; i < contract.inputs.size() && shapes && count > 0; ++i)
      if (stretches(contract.inputs[i])) {
        (*shapes)[i] = batchShape(contract.inputs[i], (*shapes)[i], launch.stills[place % launch.stills.size()],
                                  launch.missing[place % launch.missing.size()]);
        ++place;
      }
    if (count > 0)
      add(shapes);
  }
}

void CaseList::addAxes() {
  if (!reduction || !plan.shapes)
    return;
  const ContractAttribute *axes = contract.findAttribute(reduction->axes);
  if (!axes || axes->binding != Binding::Shape || !hasPack)
    return;
  bool isList = axes->type == AttributeType::ListInt;
  auto over = [&](const Shape &shape, const std::vector<int64_t> &list, bool keepDims) {
    if (isList || list.size() == 1)
      add(instantiateShapes(contract, shape, 3), list, keepDims);
  };
  for (auto [count, length] : kRows) {
    over({count, length}, {-1}, count % 2);
    over({length, count}, {0}, length % 2);
  }
  // Up to four alternating groups of kept and reduced dimensions, in ranks 1 to 8.
  over({33}, {0}, false);
  over({3, 5, 7}, {1}, true);
  over({3, 5, 7}, {0, 2}, false);
  over({3, 5, 7}, {0, 1}, true);
  over({2, 3, 4, 5}, {0, 2}, true);
  over({2, 3, 4, 5}, {1, -1}, false);
  over({2, 3, 4, 5}, {-1, -2, 0, 1}, false);
  over({2, 3, 2, 3, 5}, {1, 2}, false);
  over({2, 1, 3, 2, 1, 5}, {2, 3, 4}, true);
  over({2, 1, 2, 3, 1, 2, 1}, {-1, -2}, false);
  over({2, 1, 2, 2, 1, 2, 3, 2}, {0, 1, 6, 7}, false);
  over({3, 0}, {1}, false);
  over({0, 3}, {1}, true);
}

void CaseList::addOwn() {
  for (const ContractTestShape &own : contract.testShapes) {
    std::vector<Shape> shapes;
    for (const std::optional<std::vector<int64_t>> &shape : own.inputs)
      if (shape)
        shapes.push_back(*shape);
    if (shapes.size() == contract.inputs.size())
      add(shapes);
    else
      ++refused;
  }
}

void CaseList::addOnly() {
  const ContractAttribute *axes = reduction ? contract.findAttribute(reduction->axes) : nullptr;
  if (!axes || axes->binding != Binding::Shape)
    return add(plan.only);
  size_t position = 0;
  while (contract.inputs[position].name != reduction->input)
    ++position;
  auto rank = static_cast<int64_t>((*plan.only)[position].size());
  for (int64_t axis = 0; axis < rank; ++axis)
    add(plan.only, {axis}, axis % 2 == 0);
  if (axes->type == AttributeType::ListInt)
    add(plan.only, {}, true);
}

std::vector<TestCase> makeTestCases(const Contract &contract, const TestPlan &plan, size_t &refused) {
  CaseList list(contract, plan, refused);
  if (plan.only) {
    list.addOnly();
    return std::move(list.cases);
  }
  list.addSizes();
  list.addPacks();
  list.addPatterns();
  list.addRows();
  list.addDomain();
  list.addProducts();
  list.addAxes();
  list.addOwn();
  return std::move(list.cases);
}

std::vector<TestCase> sampleCases(const std::vector<TestCase> &cases, unsigned share, unsigned rows, uint64_t seed) {
  std::vector<TestCase> sample;
  size_t large = 0, others = 0;
  for (const TestCase &one : cases) {
    const bool isLarge = mostElementsOf(one.inputs) > kLargeCase;
    const size_t number = isLarge ? large++ : others++;
    if ((number + seed) % (isLarge ? rows : share) == 0)
      sample.push_back(one);
  }
  return sample;
}

std::vector<bool> sampleForDraws(const std::vector<TestCase> &cases, size_t share, int64_t largest) {
  std::vector<bool> taken(cases.size(), false);
  std::map<bool, size_t> seen; // by special
  int64_t most = 0;
  std::optional<size_t> mostSpecial;
  for (size_t i = 0; i < cases.size(); ++i) {
    // Cases with an empty input most often have no result to compare.
    const int64_t size = mostElementsOf(cases[i].inputs);
    if (hasEmpty(cases[i].inputs) || size > largest)
      continue;
    const size_t number = seen[cases[i].special]++;
    taken[i] = cases[i].special ? number < 2 : number % share == 0;
    if (cases[i].special && size > most) {
      most = size;
      mostSpecial = i;
    }
  }
  if (mostSpecial)
    taken[*mostSpecial] = true;
  // When all cases are larger, take one of them.
  if (seen.empty() && !cases.empty()) {
    const auto first =
        std::find_if(cases.begin(), cases.end(), [](const TestCase &one) { return !hasEmpty(one.inputs); });
    taken[first == cases.end() ? 0 : size_t(first - cases.begin())] = true;
  }
  return taken;
}

} // namespace opc::tool
