// Rewrites Resize. Nearest and linear modes over the last two dimensions use a kernel of our own domain, which
// computes the indices; all other forms become a Gather along each axis at constant indices, and weighted sums of the
// gathered elements.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Decomposer.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// The parameters of a Resize, with sizes and scales for each axis.
struct Decomposer::Resizing {
  RankedTensorType type;
  StringRef mode, nearest, coordinates;
  Shape made;                     ///< sizes of the result
  SmallVector<float> scale;       ///< of each axis
  SmallVector<float> first, last; ///< of each axis: the cropped region, as fractions
  SmallVector<bool> isAxis;       ///< whether the node names it
  bool isExact = false;           ///< whether the node gives the sizes of the result, and scales follow from them
  bool isSmooth = false, leavesOutside = false;
  float cubic = -0.75f, beyond = 0; ///< the coefficient of cubic; the value outside of the region's operand
};

/// A constant list of float32; nullopt for others.
static std::optional<SmallVector<float>> floatsOf(ElementsAttr elements) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(elements);
  if (!dense || !dense.getElementType().isF32() || dense.getNumElements() > int64_t(kMostRank) * 2)
    return std::nullopt;
  SmallVector<float> numbers;
  for (const APFloat &number : dense.getValues<APFloat>())
    numbers.push_back(number.convertToFloat());
  return numbers;
}

bool Decomposer::readResizing(Resizing &form) {
  form.type = typeOf(0);
  form.mode = word("mode", "nearest");
  form.nearest = word("nearest_mode", "round_prefer_floor");
  form.coordinates = word("coordinate_transformation_mode", "half_pixel");
  const StringRef policy = word("keep_aspect_ratio_policy", "stretch");
  // Opset 10 has scales after the operand, and fewer attributes.
  if (!form.type || form.type.getRank() < 1 || node.getNumOperands() < 3 ||
      !llvm::is_contained({"nearest", "linear", "cubic"}, form.mode) ||
      !llvm::is_contained({"stretch", "not_larger", "not_smaller"}, policy))
    return false;
  form.isSmooth = integer("antialias", 0) != 0;
  form.leavesOutside = integer("exclude_outside", 0) != 0;
  form.cubic = static_cast<float>(real("cubic_coeff_a", -0.75));
  form.beyond = static_cast<float>(real("extrapolation_value", 0));
  const auto rank = static_cast<size_t>(form.type.getRank());
  Shape axes = llvm::to_vector(llvm::seq<int64_t>(0, form.type.getRank()));
  if (auto given = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("axes")))
    axes.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  std::optional<Shape> sizes = has(3) ? list("", 3) : std::nullopt;
  std::optional<SmallVector<float>> scales = has(2) ? floatsOf(constantOf(node.getOperand(2))) : std::nullopt;
  if (scales && scales->empty())
    scales.reset();
  if (!sizes == !scales || (sizes ? sizes->size() : scales->size()) != axes.size() || (!sizes && policy != "stretch"))
    return false;
  form.isExact = sizes && policy == "stretch";
  form.made = Shape(form.type.getShape());
  form.scale.assign(rank, 1.0f);
  form.first.assign(rank, 0.0f);
  form.last.assign(rank, 1.0f);
  form.isAxis.assign(rank, false);
  std::optional<SmallVector<float>> region = has(1) ? floatsOf(constantOf(node.getOperand(1))) : std::nullopt;
  if (form.coordinates == "tf_crop_and_resize" && (!region || region->size() != 2 * axes.size()))
    return false;
  for (size_t i = 0; i < axes.size(); ++i) {
    std::optional<size_t> axis = place(axes[i], form.type.getRank());
    if (!axis || form.isAxis[*axis])
      return false;
    form.isAxis[*axis] = true;
    const int64_t size = form.made[*axis];
    if (size < 1 || size > kMostWritten || (sizes && ((*sizes)[i] < 1 || (*sizes)[i] > kMostWritten)))
      return false;
    form.scale[*axis] = scales ? (*scales)[i] : float((*sizes)[i]) / float(size);
    if (form.coordinates == "tf_crop_and_resize") {
      form.first[*axis] = (*region)[i];
      form.last[*axis] = (*region)[axes.size() + i];
    }
  }
  // One scale for all axes, the smallest or the largest.
  if (policy != "stretch") {
    SmallVector<float> own;
    for (size_t i = 0; i < rank; ++i)
      if (form.isAxis[i])
        own.push_back(form.scale[i]);
    if (own.empty())
      return false;
    const float one = policy == "not_larger" ? *llvm::min_element(own) : *llvm::max_element(own);
    for (size_t i = 0; i < rank; ++i)
      if (form.isAxis[i])
        form.scale[i] = one;
  }
  size_t next = 0;
  for (int64_t each : axes) {
    const auto axis = *place(each, form.type.getRank());
    const float whole = float(form.made[axis]) * form.scale[axis];
    if (!(form.scale[axis] > 0) || whole > float(kMostWritten))
      return false;
    form.made[axis] = policy != "stretch" ? static_cast<int64_t>(std::floor(whole + 0.5f))
                      : sizes             ? (*sizes)[next]
                                          : static_cast<int64_t>(std::floor(whole));
    ++next;
    if (form.made[axis] < 1)
      return false;
  }
  return true;
}

/// Upsample was Resize before opset 10, with scales as an attribute or as the second operand.
bool Decomposer::upsample() {
  Value scales = has(1) ? node.getOperand(1) : Value();
  if (auto given = dyn_cast_or_null<DenseF32ArrayAttr>(parameter("scales")); given && !scales)
    scales = reals(given.asArrayRef(), given.size());
  if (!scales || !typeOf(0))
    return false;
  const StringRef mode = word("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear")
    return false;
  const Named parameters[] = {named("coordinate_transformation_mode", "asymmetric"),
                              named("mode", mode == "nearest" ? "nearest" : "linear"), named("nearest_mode", "floor")};
  finish(0, value("Resize", {node.getOperand(0), reals({}, 0), scales}, parameters));
  return true;
}

bool Decomposer::resize() {
  Resizing form;
  if (!readResizing(form))
    return false;
  auto whole = dyn_cast<IntegerType>(form.type.getElementType());
  if (form.mode == "nearest" || !whole)
    return resizePlanes(form) || resizeByTaps(form);
  // Values between integers are computed as floats, then truncated. Before opset 11 operands have other places.
  if (opset < 11 || whole.getWidth() == 1)
    return false;
  SmallVector<Value> operands(node.getOperands());
  operands[0] = cast(operands[0], builder.getF32Type());
  Value made =
      value("Resize", operands, node.getParametersAttr() ? node.getParametersAttr().getValue() : ArrayRef<Named>());
  finish(0, cast(made, form.type.getElementType()));
  return true;
}

// Planes whose last two dimensions are resized. The coordinate in the operand of an element of the result is (place +
// shift) * multiply / divide + offset, as ONNX computes it in float32.
bool Decomposer::resizePlanes(const Resizing &form) {
  if (form.mode == "cubic" || form.isSmooth || form.leavesOutside)
    return false;
  const auto rank = static_cast<size_t>(form.type.getRank());
  // The first of both dimensions may have size 1.
  Shape planes = {1, 1, 1, form.type.getShape().back()}, resized = {form.made[rank - 1]};
  SmallVector<float> multiply, divide;
  float shift = 0, offset = 0;
  if (rank > 1) {
    planes[2] = form.type.getDimSize(static_cast<unsigned>(rank - 2));
    resized.insert(resized.begin(), form.made[rank - 2]);
  } else {
    resized.insert(resized.begin(), 1);
  }
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (form.made[i] != form.type.getDimSize(static_cast<unsigned>(i)) || form.scale[i] != 1.0f)
      return false;
    planes[1] *= form.made[i];
  }
  for (size_t i = 0; i < 2; ++i) {
    const int64_t from = planes[2 + i], to = resized[i];
    const float scale = rank + i < 2 ? 1.0f : form.scale[rank - 2 + i];
    float times = 1, by = scale;
    if (form.coordinates == "align_corners") {
      // ONNX computes with the unrounded size, except for aligned corners.
      if (!form.isExact && float(from) * scale != float(to))
        return false;
      times = to == 1 ? 0.0f : float(from - 1);
      by = to == 1 ? 1.0f : float(to - 1);
    } else if (form.coordinates == "half_pixel" || form.coordinates == "pytorch_half_pixel") {
      // PyTorch maps a plane of one element to index 0; other modes align the centres.
      if (to == 1 && form.coordinates == "pytorch_half_pixel")
        return false;
      shift = 0.5f;
      offset = -0.5f;
    } else if (form.coordinates != "asymmetric") {
      return false;
    }
    multiply.push_back(times);
    divide.push_back(by);
  }
  SmallVector<NamedAttribute> parameters = {builder.getNamedAttr("size", builder.getDenseI64ArrayAttr(resized)),
                                            builder.getNamedAttr("multiply", builder.getDenseF32ArrayAttr(multiply)),
                                            builder.getNamedAttr("divide", builder.getDenseF32ArrayAttr(divide)),
                                            builder.getNamedAttr("shift", builder.getF32FloatAttr(shift)),
                                            builder.getNamedAttr("offset", builder.getF32FloatAttr(offset))};
  if (form.mode == "nearest") {
    // sign * floor(sign * place + nudge)
    const bool up = form.nearest == "ceil" || form.nearest == "round_prefer_floor",
               half = form.nearest.starts_with("round_prefer");
    if (!half && form.nearest != "ceil" && form.nearest != "floor")
      return false;
    parameters.push_back(builder.getNamedAttr("sign", builder.getF32FloatAttr(up ? -1.0f : 1.0f)));
    parameters.push_back(builder.getNamedAttr("nudge", builder.getF32FloatAttr(half ? 0.5f : 0.0f)));
  }
  Value from = node.getOperand(0);
  if (planes != Shape(form.type.getShape()))
    from = reshaped(from, planes);
  NodeOp plane = emit(form.mode == "nearest" ? "ResizeNearest2d" : "ResizeLinear2d", from, parameters, kOwnDomain);
  from = plane.getResult(0);
  planes[2] = resized[0];
  planes[3] = resized[1];
  if (planes != form.made)
    from = reshaped(from, form.made);
  finish(0, from);
  return true;
}

//===----------------------------------------------------------------------===//
// Along each axis at constant indices
//===----------------------------------------------------------------------===//

namespace {

/// One axis of a Resize: the elements of the operand that each element of the result sums.
struct Taps {
  size_t count = 1;            ///< of each element
  SmallVector<int64_t> places; ///< `count` for each element, within the operand
  SmallVector<float> weights;  ///< `count` for each element
  SmallVector<bool> isBeyond;  ///< whether an element is the extrapolation value instead
};

} // namespace

/// The coordinate of element `i` of a result of `to` elements in an operand of `from`; nullopt for unknown
/// coordinate modes.
static std::optional<float> placeOf(StringRef coordinates, int64_t i, int64_t from, int64_t to, float scale,
                                    float first, float last) {
  const auto at = static_cast<float>(i), whole = float(from) * scale;
  if (coordinates == "asymmetric")
    return at / scale;
  if (coordinates == "align_corners")
    return to == 1 ? 0.0f : at * float(from - 1) / (whole - 1);
  if (coordinates == "half_pixel" || (coordinates == "pytorch_half_pixel" && to > 1))
    return (at + 0.5f) / scale - 0.5f;
  if (coordinates == "pytorch_half_pixel")
    return 0.0f;
  if (coordinates == "half_pixel_symmetric")
    return float(from) / 2 * (1 - float(to) / whole) + (at + 0.5f) / scale - 0.5f;
  if (coordinates == "tf_crop_and_resize")
    return to == 1 ? (first + last) * float(from - 1) / 2
                   : at * (last - first) * float(from - 1) / (whole - 1) + first * float(from - 1);
  return std::nullopt;
}

/// The weight of an element at a distance, in elements of the operand, for linear or cubic interpolation.
static double weightOf(bool isCubic, double distance, double a) {
  const double x = std::fabs(distance);
  if (!isCubic)
    return std::max(0.0, 1 - x);
  return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0.0;
}

/// The element that mode nearest selects.
static double nearestOf(StringRef mode, double at) {
  if (mode == "floor")
    return std::floor(at);
  if (mode == "ceil")
    return std::ceil(at);
  return mode == "round_prefer_ceil" ? std::floor(at + 0.5) : std::ceil(at - 0.5);
}

/// Adds the elements around a coordinate, with weights that add up to 1.
static void addTaps(Taps &taps, double at, int64_t from, bool isCubic, double shrink, double a, bool leavesOutside) {
  const double reach = (isCubic ? 2 : 1) / shrink;
  const auto begin = static_cast<int64_t>(std::floor(at)) - static_cast<int64_t>(std::ceil(reach)) + 1;
  double sum = 0;
  SmallVector<double> weights;
  for (size_t k = 0; k < taps.count; ++k) {
    const int64_t place = begin + static_cast<int64_t>(k);
    const bool isOutside = place < 0 || place >= from;
    weights.push_back(isOutside && leavesOutside ? 0.0 : weightOf(isCubic, (double(place) - at) * shrink, a));
    taps.places.push_back(std::clamp<int64_t>(place, 0, from - 1));
    sum += weights.back();
  }
  for (double weight : weights)
    taps.weights.push_back(static_cast<float>(weight / sum));
}

bool Decomposer::resizeByTaps(const Resizing &form) {
  const bool isNearest = form.mode == "nearest", isCubic = form.mode == "cubic";
  if (!isNearest && !isa<FloatType>(form.type.getElementType()))
    return false;
  if (isNearest && !llvm::is_contained({"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"}, form.nearest))
    return false;
  const auto rank = static_cast<size_t>(form.type.getRank());
  SmallVector<Taps> all(rank);
  Shape shape(form.type.getShape());
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t from = shape[axis], to = form.made[axis];
    const float scale = form.scale[axis];
    const bool isCropped =
        form.coordinates == "tf_crop_and_resize" && (form.first[axis] != 0.0f || form.last[axis] != 1.0f);
    if (!form.isAxis[axis] || (from == to && scale == 1.0f && !isCropped))
      continue;
    Taps &taps = all[axis];
    const double shrink = form.isSmooth ? std::min(1.0, double(scale)) : 1.0;
    if (!isNearest)
      taps.count = 2 * static_cast<size_t>(std::ceil(std::min((isCubic ? 2 : 1) / shrink, double(kMostWritten))));
    shape[axis] = to;
    Shape apart = shape;
    apart.push_back(static_cast<int64_t>(taps.count));
    if (!elementsOf(apart, kMostWritten))
      return false;
    for (int64_t i = 0; i < to; ++i) {
      std::optional<float> at = placeOf(form.coordinates, i, from, to, scale, form.first[axis], form.last[axis]);
      if (!at || !(std::fabs(*at) <= float(kMostWritten)))
        return false;
      taps.isBeyond.push_back(isCropped && (*at < 0 || *at > float(from - 1)));
      if (isNearest)
        taps.places.push_back(std::clamp<int64_t>(int64_t(nearestOf(form.nearest, *at)), 0, from - 1));
      else
        addTaps(taps, *at, from, isCubic, shrink, form.cubic, form.leavesOutside);
    }
    // Weights that are all zero cannot be normalised.
    if (llvm::any_of(taps.weights, [](float weight) { return !std::isfinite(weight); }))
      return false;
  }
  Type element = form.type.getElementType(), real = builder.getF32Type();
  Value made = node.getOperand(0);
  if (!isNearest && element != real)
    made = cast(made, real);
  for (size_t axis = 0; axis < rank; ++axis) {
    const Taps &taps = all[axis];
    if (taps.places.empty())
      continue;
    const int64_t to = form.made[axis], count = static_cast<int64_t>(taps.count);
    Shape along(rank - axis, 1);
    along[0] = to;
    if (isNearest) {
      made = gathered(made, taps.places, axis);
    } else {
      Shape weights = along;
      weights.insert(weights.begin() + 1, count);
      Value apart = gathered(made, taps.places, axis, {to, count});
      Value weighted = value("Mul", {apart, reals(taps.weights, weights)});
      made = value("ReduceSum", {weighted, wholes(int64_t(axis) + 1)}, named("keepdims", 0));
    }
    if (llvm::is_contained(taps.isBeyond, true)) {
      Value isBeyond = constant(
          DenseElementsAttr::get(RankedTensorType::get(along, builder.getI1Type()), SmallVector<bool>(taps.isBeyond)));
      made = value("Where", {isBeyond, splat({}, isNearest ? element : real, form.beyond), made});
    }
  }
  if (!isNearest && element != real)
    made = cast(made, element);
  finish(0, made);
  return true;
}
