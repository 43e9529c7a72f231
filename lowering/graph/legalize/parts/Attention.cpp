// Rewrites Attention and RotaryEmbedding: heads of matrices, two products with a softmax between them, and the mask of
// each query. Folding joins the first product, scale, mask and softmax where it gains by it.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Sizes and attributes of an Attention.
struct Decomposer::Attending {
  Type element;
  int64_t batch = 0, heads = 0, keyHeads = 0; ///< `heads` is a multiple of `keyHeads`
  int64_t queries = 0, past = 0, keys = 0;    ///< `keys` counts those of the past
  int64_t size = 0, valueSize = 0;            ///< of a head
  double scale = 0, cap = 0;
  bool isCausal = false;
  int64_t left = -1, right = -1; ///< keys that a query sees on either side of its own; -1: all
  int64_t scores = 0;            ///< which scores are a result: `qk_matmul_output_mode`
  Type softmax;                  ///< the type that its operand and its result are rounded to

  bool isGrouped() const { return heads != keyHeads; }
  bool isBounded() const { return isCausal || left >= 0 || right >= 0; }
};

/// The maximum number of queries and of keys: places and their distances are exact in float32.
static constexpr int64_t kMostTokens = int64_t(1) << 22;

/// Whether operands 4 and 5 are keys and values of the past, of these heads.
bool Decomposer::readPast(Attending &form) {
  if (!has(4) && !has(5))
    return true;
  RankedTensorType keys = typeOf(4), values = typeOf(5);
  if (!keys || !values || keys.getRank() != 4 || values.getElementType() != form.element ||
      keys.getElementType() != form.element)
    return false;
  form.past = keys.getDimSize(2);
  form.keys += form.past;
  return form.past >= 1 && keys.getShape() == ArrayRef({form.batch, form.keyHeads, form.past, form.size}) &&
         values.getShape() == ArrayRef({form.batch, form.keyHeads, form.past, form.valueSize});
}

/// Whether operand 3 is a mask: truth values, or numbers to add, for each score or repeated. Keys after those of its
/// last dimension are masked.
bool Decomposer::readMask(const Attending &form) {
  if (!has(3))
    return true;
  RankedTensorType mask = typeOf(3);
  if (!mask || mask.getRank() < 1 || mask.getRank() > 4 || mask.getShape().back() < 1 ||
      mask.getShape().back() > form.keys ||
      (mask.getElementType() != form.element && !mask.getElementType().isInteger(1)))
    return false;
  const int64_t sizes[] = {form.batch, form.heads, form.queries};
  ArrayRef<int64_t> before = mask.getShape().drop_back();
  for (auto [size, own] : llvm::zip(ArrayRef(sizes).take_back(before.size()), before))
    if (own != 1 && own != size)
      return false;
  return true;
}

bool Decomposer::readAttention(Attending &form) {
  RankedTensorType q = typeOf(0), k = typeOf(1), v = typeOf(2);
  if (!q || !k || !v || (q.getRank() != 3 && q.getRank() != 4) || k.getRank() != q.getRank() ||
      v.getRank() != q.getRank())
    return false;
  form.element = q.getElementType();
  if (!(form.element.isF16() || form.element.isBF16() || form.element.isF32()) || k.getElementType() != form.element ||
      v.getElementType() != form.element)
    return false;
  const bool isOfRows = q.getRank() == 3;
  form.heads = isOfRows ? integer("q_num_heads", 0) : q.getDimSize(1);
  form.keyHeads = isOfRows ? integer("kv_num_heads", 0) : k.getDimSize(1);
  if (form.heads < 1 || form.keyHeads < 1 || form.heads % form.keyHeads != 0)
    return false;
  // Of each operand: batches, heads, rows, size of a head.
  auto sizesOf = [&](RankedTensorType type, int64_t heads) -> Shape {
    ArrayRef<int64_t> shape = type.getShape();
    if (!isOfRows)
      return Shape(shape);
    return {shape[0], heads, shape[1], shape[2] % heads == 0 ? shape[2] / heads : 0};
  };
  const Shape ofQ = sizesOf(q, form.heads), ofK = sizesOf(k, form.keyHeads), ofV = sizesOf(v, form.keyHeads);
  if (llvm::any_of(llvm::concat<const int64_t>(ofQ, ofK, ofV), [](int64_t size) { return size < 1; }) ||
      ofK[0] != ofQ[0] || ofV[0] != ofQ[0] || ofK[1] != form.keyHeads || ofV[1] != form.keyHeads || ofV[2] != ofK[2] ||
      ofK[3] != ofQ[3])
    return false;
  form.batch = ofQ[0];
  form.queries = ofQ[2];
  form.keys = ofK[2];
  form.size = ofQ[3];
  form.valueSize = ofV[3];
  RankedTensorType lengths = typeOf(6);
  if (!readPast(form) || !readMask(form) || form.queries > kMostTokens || form.keys > kMostTokens ||
      (has(6) && (!lengths || has(4) || lengths.getShape() != ArrayRef(form.batch) ||
                  !lengths.getElementType().isSignlessInteger(64))))
    return false;
  form.scale = real("scale", 1 / std::sqrt(static_cast<double>(form.size)));
  form.cap = real("softcap", 0);
  form.isCausal = integer("is_causal", 0) != 0;
  form.left = integer("left_window_size", -1);
  form.right = integer("right_window_size", -1);
  form.scores = integer("qk_matmul_output_mode", 0);
  std::optional<onnx::ElementType> softmax =
      onnx::elementTypeOf(integer("softmax_precision", static_cast<int64_t>(onnxElementType(form.element))));
  if (form.left < -1 || form.right < -1 || form.scores < 0 || form.scores > 3 || !softmax)
    return false;
  form.left = std::min(form.left, kMostTokens);
  form.right = std::min(form.right, kMostTokens);
  switch (*softmax) {
  case onnx::ElementType::Float32:
    // Softmax computes in float32 for every type of its operand.
    form.softmax = form.element;
    return true;
  case onnx::ElementType::Float16:
    form.softmax = builder.getF16Type();
    return true;
  case onnx::ElementType::BFloat16:
    form.softmax = builder.getBF16Type();
    return true;
  default:
    return false;
  }
}

/// An operand as [batches, heads, rows, size of a head].
Value Decomposer::headsOf(unsigned operand, int64_t heads) {
  RankedTensorType type = typeOf(operand);
  Value own = node.getOperand(operand);
  if (type.getRank() == 4)
    return own;
  ArrayRef<int64_t> shape = type.getShape();
  return transposed(reshaped(own, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

/// Which keys a query may see by their places: a truth value for each pair, of rank 2, or 4 if batches differ. Null if
/// it sees all. Query i stands at key `past` + i, or, if the node has the number of keys of each batch, so that the
/// last query stands at the last of them.
Value Decomposer::visibleKeys(const Attending &form) {
  auto places = [&](int64_t first, int64_t count, ArrayRef<int64_t> shape) {
    SmallVector<float> numbers;
    for (int64_t i = 0; i < count; ++i)
      numbers.push_back(static_cast<float>(first + i));
    return reals(numbers, shape);
  };
  Value visible, keys, lengths;
  if (form.isBounded() || has(6))
    keys = places(0, form.keys, {1, form.keys});
  if (has(6))
    lengths = reshaped(cast(node.getOperand(6), builder.getF32Type()), {form.batch, 1, 1, 1});
  auto require = [&](StringRef relation, Value bound) {
    Value each = value(relation, {keys, bound});
    visible = visible ? value("And", {visible, each}) : each;
  };
  // The places of all queries, moved by `by`.
  auto queries = [&](int64_t by) {
    Value own = places((lengths ? -form.queries : form.past) + by, form.queries, {form.queries, 1});
    return lengths ? value("Add", {lengths, own}) : own;
  };
  if (form.isCausal || form.right >= 0)
    require("LessOrEqual", queries(form.isCausal ? 0 : form.right));
  if (form.left >= 0)
    require("GreaterOrEqual", queries(-form.left));
  // The last query of a causal attention stands at the last key.
  if (lengths && !form.isCausal)
    require("Less", lengths);
  return visible;
}

/// What is added to the scores: 0 or minus infinity for each key, and the mask's own numbers. Null for nothing.
Value Decomposer::biasOf(const Attending &form) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value visible = visibleKeys(form), bias;
  if (has(3)) {
    Value mask = node.getOperand(3);
    Shape rest(typeOf(3).getShape());
    rest.back() = form.keys - rest.back();
    const bool isTruth = typeOf(3).getElementType().isInteger(1);
    if (rest.back() > 0)
      mask = joined({mask, splat(rest, typeOf(3).getElementType(), isTruth ? 0 : -infinity)}, rest.size() - 1);
    if (!isTruth)
      bias = mask;
    else
      visible = visible ? value("And", {mask, visible}) : mask;
  }
  if (!visible)
    return bias;
  Value open = value("Where", {visible, splat({}, form.element, 0), splat({}, form.element, -infinity)});
  return bias ? value("Add", {bias, open}) : open;
}

/// Whether every query sees some key, whatever the values of operands are.
bool Decomposer::seesKeys(const Attending &form) {
  return !has(3) && !has(6) && (form.left < 0 || form.past + form.queries - 1 - form.left < form.keys);
}

bool Decomposer::attention() {
  Attending form;
  if (!readAttention(form))
    return false;
  auto isUsed = [&](unsigned result) { return node.getNumResults() > result && !node.getResult(result).use_empty(); };
  // Heads that share keys are more rows.
  const int64_t rows = form.heads / form.keyHeads * form.queries;
  auto perHead = [&](Value from, int64_t columns) {
    return form.isGrouped() ? reshaped(from, {form.batch, form.heads, form.queries, columns}) : from;
  };
  auto perKeyHead = [&](Value from, int64_t columns) {
    return form.isGrouped() ? reshaped(from, {form.batch, form.keyHeads, rows, columns}) : from;
  };
  Value queries = perKeyHead(headsOf(0, form.heads), form.size), keys = headsOf(1, form.keyHeads),
        values = headsOf(2, form.keyHeads);
  if (form.past > 0) {
    keys = joined({node.getOperand(4), keys}, 2);
    values = joined({node.getOperand(5), values}, 2);
  }
  Value scale = splat({}, form.element, form.scale);
  // Sums of float16 may overflow before they are scaled.
  if (form.element.isF16())
    queries = value("Mul", {queries, scale});
  Value scores = value("MatMul", {queries, transposed(keys, {0, 1, 3, 2})});
  if (!form.element.isF16())
    scores = value("Mul", {scores, scale});
  scores = perHead(scores, form.keys);
  const bool givesScores = isUsed(3);
  if (givesScores && form.scores == 0)
    finish(3, scores);
  if (form.cap > 0) {
    Value cap = splat({}, form.element, form.cap);
    scores = value("Mul", {value("Tanh", value("Div", {scores, cap})), cap});
  }
  if (givesScores && form.scores == 1)
    finish(3, scores);
  Value bias = biasOf(form), isBlind;
  if (bias)
    scores = value("Add", {scores, bias});
  if (givesScores && form.scores == 2)
    finish(3, scores);
  // A query that sees no key has NaN as weights: its result is 0.
  if (bias && !seesKeys(form))
    isBlind = value("Equal", {value("ReduceMax", {bias, wholes(-1)}, named("keepdims", 1)),
                              splat({}, form.element, -std::numeric_limits<double>::infinity())});
  auto orNone = [&](Value from) { return value("Where", {isBlind, splat({}, form.element, 0), from}); };
  Value weights = value("Softmax", converted(scores, form.element, form.softmax), named("axis", -1));
  weights = converted(weights, form.softmax, form.element);
  if (givesScores && form.scores == 3) {
    if (isBlind)
      weights = orNone(weights);
    finish(3, weights);
  }
  Value made = perHead(value("MatMul", {perKeyHead(weights, form.keys), values}), form.valueSize);
  if (isBlind)
    made = orNone(made);
  if (typeOf(0).getRank() == 3)
    made = reshaped(transposed(made, {0, 2, 1, 3}), {form.batch, form.queries, form.heads * form.valueSize});
  if (isUsed(1))
    finish(1, keys);
  if (isUsed(2))
    finish(2, values);
  finish(0, made);
  return true;
}

/// With places of tokens, over a part of each head, of pairs side by side, and heads beside each other: the angles by
/// Gather, and the plain form between slices and transposes.
bool Decomposer::rotaryEmbedding() {
  RankedTensorType type = typeOf(0), cosines = typeOf(1), sines = typeOf(2);
  const bool isOfRows = type && type.getRank() == 3;
  if (!type || !cosines || !sines || (!isOfRows && type.getRank() != 4) || !isa<FloatType>(type.getElementType()))
    return false;
  const int64_t heads = isOfRows ? integer("num_heads", 0) : type.getDimSize(1);
  if (heads < 1 || (isOfRows && type.getDimSize(2) % heads != 0))
    return false;
  const int64_t batch = type.getDimSize(0), tokens = type.getDimSize(isOfRows ? 1 : 2),
                size = isOfRows ? type.getDimSize(2) / heads : type.getDimSize(3);
  const int64_t given = integer("rotary_embedding_dim", 0), turned = given == 0 ? size : given;
  const bool isPaired = integer("interleaved", 0) != 0;
  if (turned < 2 || turned > size || turned % 2 != 0)
    return false;
  if (has(3)) {
    RankedTensorType places = typeOf(3);
    if (!places || places.getShape() != ArrayRef({batch, tokens}) || cosines.getRank() != 2)
      return false;
  } else if (cosines.getRank() != 3 || (!isOfRows && turned == size && !isPaired)) {
    return false;
  }
  if (cosines.getShape() != sines.getShape() || cosines.getShape().back() != turned / 2)
    return false;
  auto angles = [&](unsigned operand) {
    Value own = node.getOperand(operand);
    return has(3) ? value("Gather", {own, node.getOperand(3)}, named("axis", 0)) : own;
  };
  Value own = headsOf(0, heads), rest;
  if (turned < size) {
    rest = sliced(own, turned, size, 3);
    own = sliced(own, 0, turned, 3);
  }
  // Pairs become halves, and halves pairs again.
  auto reordered = [&](Value from, int64_t outer, int64_t inner) {
    Value parts = reshaped(from, {batch, heads, tokens, outer, inner});
    return reshaped(transposed(parts, {0, 1, 2, 4, 3}), {batch, heads, tokens, turned});
  };
  if (isPaired)
    own = reordered(own, turned / 2, 2);
  Value made = value("RotaryEmbedding", {own, angles(1), angles(2)});
  if (isPaired)
    made = reordered(made, 2, turned / 2);
  if (rest)
    made = joined({made, rest}, 3);
  if (isOfRows)
    made = reshaped(transposed(made, {0, 2, 1, 3}), type.getShape());
  finish(0, made);
  return true;
}
