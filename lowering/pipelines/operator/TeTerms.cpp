#include "lowering/pipelines/operator/TeTerms.h"

#include "dialect/te/InstanceNote.h"
#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace opc {

/// The name of an element type in contracts: "int32".
static std::string nameOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << te::elementOf(type);
  for (unsigned number = 0; number < kNumElementTypes; ++number)
    if (auto element = static_cast<ElementType>(number); mlirTypeName(element) == text)
      return std::string(elementTypeName(element));
  return text;
}

TeTerms::TeTerms(ModuleOp module, const Contract &contract, const ContractBody &body, std::string target)
    : contract(contract), path(contract.filePath(body.file)), target(std::move(target)) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto row = unsigned(function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr).getInt());
    StringRef key = function->getAttrOfType<StringAttr>(te::TeDialect::kShapeKeyAttr).getValue();
    // The current name of the operator; the body may use another one.
    std::string kernel = contract.kernelName(row) + "_" + key.str();
    kernels[kernel] = {row, key.str()};
    functions[kernel] = locationOf(function.getLoc());
    for (mlir::Operation &op : function.front().without_terminator()) {
      if (op.getNumResults() != 1)
        continue;
      Operation known;
      known.name = op.getName().getStringRef().str();
      known.to = nameOf(op.getResult(0).getType());
      bool anyTensor = llvm::any_of(op.getOperandTypes(), [](Type type) { return isa<RankedTensorType>(type); });
      for (Value operand : op.getOperands()) {
        // A number that is combined with a tensor takes the tensor's type.
        if (anyTensor && !isa<RankedTensorType>(operand.getType()))
          continue;
        std::string type = nameOf(operand.getType());
        if (!llvm::is_contained(known.from, type))
          known.from.push_back(type);
      }
      known.ofScalars = op.getNumOperands() > 0 && !anyTensor;
      if (auto cast = dyn_cast<te::CastOp>(op); cast && cast.getRounding() != te::Rounding::NearestEven)
        known.mode = ("round " + te::stringifyRounding(cast.getRounding())).str();
      if (auto compare = dyn_cast<te::CompareOp>(op))
        known.mode = te::stringifyPredicate(compare.getPredicate()).str();
      Location place = locationOf(op.getLoc());
      operations[{kernel, place.line, place.column}] = std::move(known);
    }
  }
}

/// The operation at a place in the named kernel, or otherwise in any kernel.
const TeTerms::Operation *TeTerms::find(const std::string &kernel, const Location &place) const {
  auto exact = operations.find({kernel, place.line, place.column});
  if (exact != operations.end())
    return &exact->second;
  for (const auto &[where, operation] : operations)
    if (std::get<1>(where) == place.line && std::get<2>(where) == place.column)
      return &operation;
  return nullptr;
}

/// "'te.cast' of float32 to int16 (round floor)", "'te.compare lt' of int32".
std::string TeTerms::textOf(const Operation &operation) const {
  bool isCast = operation.name == "te.cast";
  std::string text = "'" + operation.name;
  if (!isCast && !operation.mode.empty())
    text += " " + operation.mode;
  text += "'";
  for (const std::string &type : operation.from)
    text += (&type == &operation.from.front() ? " of " : " and ") + type;
  if (isCast)
    text += " to " + operation.to + (operation.mode.empty() ? "" : " (" + operation.mode + ")");
  if (operation.ofScalars)
    text += operation.from.size() > 1 ? ", of numbers" : ", of a number";
  return text;
}

/// The chip's vector unit computes in float16, float32 and, for some operations, int32. Values of other types are
/// only stored, and are converted by a cast.
std::string TeTerms::fixOf(const Operation &operation) const {
  if (operation.ofScalars)
    return "'te.broadcast' makes a tensor of a number, and a tensor is computed; or take the "
           "result "
           "as an attribute of its own";
  std::vector<std::string> types = operation.from;
  types.push_back(operation.to);
  auto uses = [&](std::initializer_list<StringRef> names) -> std::string {
    for (const std::string &type : types)
      for (StringRef name : names)
        if (type == name)
          return type;
    return {};
  };
  const std::string page = "; docs/reference/scope.md, under 'types', has what comes nearest";
  if (std::string type = uses({"float64", "int64", "uint64", "uint32", "uint16"}); !type.empty())
    return "give the row another type than " + type + ": no operation computes it" + page;
  if (operation.name == "te.cast")
    return operation.mode.empty() ? "cast by way of float32 or int32, in two operations" + page
                                  : "another rounding, or a cast by way of float32 in two operations";
  if (std::string type = uses({"int8", "uint8", "int16"}); !type.empty())
    return "compute in another type and cast back: 'te.cast %x to f32' (or i32) before it, 'te.cast %r to !y' after "
           "it; 'compute' of the contract is for floats" +
           page;
  if (!uses({"int32"}).empty())
    return "'te.cast %x to f32' before it: exact up to 2^24" + page;
  if (!uses({"float16", "bfloat16"}).empty() && !contract.precision.compute)
    return "say 'compute: float32' in the contract's 'precision'";
  return "docs/reference/scope.md, under 'types', has what comes nearest";
}

Note TeTerms::noteOf(const std::string &kernel) const {
  auto known = kernels.find(kernel);
  if (known == kernels.end())
    return {{}, "in the kernel '" + kernel + "'"};
  auto [row, key] = known->second;
  return {{},
          "in the type row '" + contract.typeRowName(row) + "', where !T is " +
              std::string(mlirTypeName(contract.inputs.front().types[row])) + ", for shapes of the key '" + key + "'"};
}

/// A place in the body; that of a function if a stage reported none.
Location TeTerms::placeIn(const Location &place) const {
  if (place.line != 0 || functions.empty())
    return place;
  return functions.begin()->second;
}

/// Rules whose messages already describe a device's limits in the author's terms, and rules of the body itself.
static bool isInWords(StringRef rule) {
  static const llvm::StringSet<> labels = {"tiled_c2", "tiled_c3",  "ub_c1",     "ub_c2",
                                           "event_c1", "unroll_c1", "unroll_c2", "package_c1"};
  return rule.starts_with("bound_") || rule.starts_with("bind_") || labels.contains(rule);
}

/// Rules about what a device can compute.
static bool isLimit(StringRef rule) {
  return rule == "place_c1" || rule == "place_c3" || rule == "cpu_c6";
}

/// Codes that passes and verifiers report.
static bool isOfPasses(Code code) {
  switch (code) {
  case Code::E0302:
  case Code::E0313:
  case Code::E0315:
  case Code::E0320:
  case Code::E0321:
  case Code::E0322:
  case Code::E0323:
  case Code::E0370:
  case Code::E0371:
  case Code::E0380:
    return true;
  default:
    return false;
  }
}

Diagnostic TeTerms::translate(Diagnostic record, const std::string &atWork) const {
  if (record.severity != Severity::Error)
    return record;
  // Placement works on the instance `atWork`; stages that work on a copy name the instance in a note.
  std::string kernel = isLimit(record.rule) || record.rule == "place_c5" ? atWork : std::string();
  llvm::erase_if(record.notes, [&](const Note &note) {
    StringRef text = note.message;
    if (!text.consume_front(te::InstanceNote::kPrefix))
      return false;
    kernel = text.drop_back().str();
    return true;
  });
  if (!kernel.empty())
    record.notes.push_back(noteOf(kernel));
  record.location = placeIn(record.location);
  if (record.rule == "place_c5" && record.fix.empty())
    record.fix = "give the row another type, or the body 'devices: cpu'; docs/reference/scope.md, under 'types', has "
                 "what comes nearest";
  if (!isOfPasses(record.code) || isInWords(record.rule) || !record.fix.empty())
    return record;
  const Operation *operation = find(kernel, record.location);
  if (operation && isLimit(record.rule)) {
    std::string device = record.rule == "cpu_c6" ? "the CPU" : target;
    record.message = "expects what " + device + " computes, found " + textOf(*operation);
    record.fix = fixOf(*operation);
    return record;
  }
  std::string found = operation ? textOf(*operation) : "this body";
  record.message = "expects to make a kernel of " + found + ", found that it cannot be done";
  record.fix = "the body keeps the rules of te and the fault is opc's: report it with contract and "
               "body; 'opc compile --stop-after=bound' prints what the compiler started from";
  return record;
}

} // namespace opc
