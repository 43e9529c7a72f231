// Template arguments of a kernel that TilingFunc chooses (ASCENDC_TPL): the macros that declare them, in host files. In
// kernels they expand to nothing (runtime/ascendc/lib/TemplateArguments.h).
//
//   ASCENDC_TPL_ARGS_DECL   the parameters in the order of the kernel's template, each with its possible values
//   ASCENDC_TPL_SEL         the combinations that a build of the toolkit compiles
//   GET_TPL_TILING_KEY      a tiling key from the values; the kernel is compiled with the values whose key is set
//
// A key has the parameters' bits from the lowest up: for an unsigned integer the index of its value in the declaration,
// for others the value. Only opc reads it: the toolkit's keys may differ.

#ifndef OPC_RUNTIME_ASCENDC_HOST_TEMPLATEARGUMENTS_H
#define OPC_RUNTIME_ASCENDC_HOST_TEMPLATEARGUMENTS_H

#include "runtime/ascendc/host/Contexts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace opc::ascendc {

/// A parameter of a declaration, or its values in a combination.
struct TemplateParameter {
  enum Kind {
    Type,     ///< an element type, as the framework's number
    Number,   ///< a format, a boolean, or a number that the operator gives a meaning
    Unsigned, ///< values as ranges or a list
    Setting   ///< no parameter of the template
  };
  enum Mode : uint64_t { Range, List, Mix };
  /// In a list of types: the type of input or output `number`.
  static constexpr uint64_t kTensor = uint64_t(1) << 40;

  std::string name;
  Kind kind;
  unsigned bits;
  std::vector<uint64_t> values;

  template <typename... V>
  TemplateParameter(const char *name, Kind kind, unsigned bits, V... given)
      : name(name), kind(kind), bits(bits), values{uint64_t(given)...} {
    if (kind == Unsigned)
      expand();
  }

  bool isTensor() const {
    return std::any_of(values.begin(), values.end(), [](uint64_t value) { return value >= kTensor; });
  }
  bool has(uint64_t value) const {
    return kind == Setting || isTensor() || std::find(values.begin(), values.end(), value) != values.end();
  }
  uint64_t codeOf(uint64_t value) const {
    if (kind != Unsigned)
      return value;
    return uint64_t(std::find(values.begin(), values.end(), value) - values.begin());
  }
  /// A value as an argument of the kernel's template.
  std::string argument(uint64_t value) const {
    static const char *const types[] = {"float",    "half",     "int8_t",  "int32_t",  "uint8_t", "",    "int16_t",
                                        "uint16_t", "uint32_t", "int64_t", "uint64_t", "double",  "bool"};
    if (kind != Type)
      return std::to_string(value);
    if (value == ge::DT_BF16)
      return "bfloat16_t";
    return value < sizeof types / sizeof *types ? types[value] : "";
  }

private:
  /// The values of ranges and lists: mode, then for ranges their number and the first and last value of each.
  void expand() {
    const std::vector<uint64_t> given = std::move(values);
    values.clear();
    size_t at = 1;
    if (given.empty())
      return;
    if (given[0] != List && given.size() > 1) {
      const uint64_t ranges = given[1];
      at = 2;
      for (uint64_t i = 0; i < ranges && at + 1 < given.size(); ++i, at += 2)
        for (uint64_t value = given[at]; value <= given[at + 1] && values.size() < kMostValues; ++value)
          values.push_back(value);
    }
    if (given[0] != Range)
      values.insert(values.end(), given.begin() + std::min(at, given.size()), given.end());
  }
  static constexpr size_t kMostValues = 1u << 16;
};

/// The last choice of the host files: a key, its arguments, or the reason why there is none.
struct TemplateChoice {
  uint64_t key = 0;
  std::string arguments, problem;
};
inline std::vector<TemplateChoice> &templateChoices() {
  static std::vector<TemplateChoice> choices;
  return choices;
}

inline uint64_t templateKeyOf(const std::vector<TemplateParameter> &declared,
                              const std::vector<std::vector<TemplateParameter>> &combinations,
                              const std::vector<uint64_t> &values) {
  TemplateChoice choice;
  std::vector<const TemplateParameter *> parameters;
  for (const TemplateParameter &parameter : declared)
    if (parameter.kind != TemplateParameter::Setting)
      parameters.push_back(&parameter);
  std::string given;
  for (uint64_t value : values)
    given += (given.empty() ? "" : ", ") + std::to_string(value);
  if (values.size() != parameters.size()) {
    choice.problem = "GET_TPL_TILING_KEY expects " + std::to_string(parameters.size()) +
                     " values, as many as ASCENDC_TPL_ARGS_DECL has parameters, found " + std::to_string(values.size());
  } else {
    const bool isListed = std::any_of(combinations.begin(), combinations.end(), [&](const auto &combination) {
      return std::all_of(combination.begin(), combination.end(), [&](const TemplateParameter &selected) {
        for (size_t i = 0; i < parameters.size(); ++i)
          if (parameters[i]->name == selected.name)
            return selected.has(values[i]);
        return true;
      });
    });
    bool isDeclared = true;
    unsigned at = 0;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const std::string argument = parameters[i]->argument(values[i]);
      isDeclared = isDeclared && parameters[i]->has(values[i]) && !argument.empty();
      choice.arguments += (i == 0 ? "" : ", ") + argument;
      if (at < 64)
        choice.key |= parameters[i]->codeOf(values[i]) << at;
      at += parameters[i]->bits;
    }
    if (!isListed || !isDeclared)
      choice.problem = "GET_TPL_TILING_KEY(" + given + ") expects values of one combination of ASCENDC_TPL_SEL" +
                       (isDeclared ? "" : " that ASCENDC_TPL_ARGS_DECL has too") + ", found none that has them";
  }
  if (!choice.problem.empty())
    choice.key = ~uint64_t(0); // no key of a kernel, as in the toolkit
  templateChoices().push_back(choice);
  return choice.key;
}
template <typename... V>
uint64_t templateKey(const std::vector<TemplateParameter> &declared,
                     const std::vector<std::vector<TemplateParameter>> &combinations, V... values) {
  return templateKeyOf(declared, combinations, {uint64_t(values)...});
}

/// Reports the choice whose key TilingFunc has set. Public host files keep keys in 32 bits.
inline void reportTemplate(uint64_t key, HostResult &result) {
  const std::vector<TemplateChoice> &choices = templateChoices();
  const auto found = std::find_if(choices.rbegin(), choices.rend(), [key](const TemplateChoice &choice) {
    return choice.key == key || uint32_t(choice.key) == key;
  });
  if (found != choices.rend())
    result.templateArguments(found->arguments.c_str(), found->problem.c_str());
}

} // namespace opc::ascendc

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_3_BW 3
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_5_BW 5
#define ASCENDC_TPL_6_BW 6
#define ASCENDC_TPL_7_BW 7
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_RANGE opc::ascendc::TemplateParameter::Range
#define ASCENDC_TPL_UI_LIST opc::ascendc::TemplateParameter::List
#define ASCENDC_TPL_UI_MIX opc::ascendc::TemplateParameter::Mix
#define ASCENDC_TPL_INPUT(NUMBER) (opc::ascendc::TemplateParameter::kTensor + (NUMBER))
#define ASCENDC_TPL_OUTPUT(NUMBER) (opc::ascendc::TemplateParameter::kTensor + (NUMBER))

#define OPC_TEMPLATE_PARAMETER(NAME, KIND, ...)                                                                        \
  opc::ascendc::TemplateParameter(NAME, opc::ascendc::TemplateParameter::KIND, __VA_ARGS__)
#define ASCENDC_TPL_DTYPE_DECL(NAME, ...) OPC_TEMPLATE_PARAMETER(#NAME, Number, 8, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(NAME, ...) OPC_TEMPLATE_PARAMETER(#NAME, Type, 8, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(NAME, ...) OPC_TEMPLATE_PARAMETER(#NAME, Number, 8, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(NAME, BITS, ...) OPC_TEMPLATE_PARAMETER(#NAME, Unsigned, BITS, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(NAME, ...) OPC_TEMPLATE_PARAMETER(#NAME, Number, 1, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(NAME, ...) OPC_TEMPLATE_PARAMETER(#NAME, Number, 8, __VA_ARGS__)
#define ASCENDC_TPL_DTYPE_SEL(NAME, ...) ASCENDC_TPL_DTYPE_DECL(NAME, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(NAME, ...) ASCENDC_TPL_DATATYPE_DECL(NAME, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(NAME, ...) ASCENDC_TPL_FORMAT_DECL(NAME, __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(NAME, ...) ASCENDC_TPL_UINT_DECL(NAME, 0, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(NAME, ...) ASCENDC_TPL_BOOL_DECL(NAME, __VA_ARGS__)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(NAME, ...) ASCENDC_TPL_KERNEL_TYPE_DECL(NAME, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) OPC_TEMPLATE_PARAMETER("", Setting, 0)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) OPC_TEMPLATE_PARAMETER("", Setting, 0)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) OPC_TEMPLATE_PARAMETER("", Setting, 0)

#define ASCENDC_TPL_ARGS_DECL(OPERATOR, ...)                                                                           \
  [[maybe_unused]] static const std::vector<opc::ascendc::TemplateParameter> opcTemplateParameters {                   \
    __VA_ARGS__                                                                                                        \
  }
#define ASCENDC_TPL_ARGS_SEL(...)                                                                                      \
  std::vector<opc::ascendc::TemplateParameter> {                                                                       \
    __VA_ARGS__                                                                                                        \
  }
#define ASCENDC_TPL_SEL(...)                                                                                           \
  [[maybe_unused]] static const std::vector<std::vector<opc::ascendc::TemplateParameter>> opcTemplateCombinations {    \
    __VA_ARGS__                                                                                                        \
  }

#define GET_TPL_TILING_KEY(...) opc::ascendc::templateKey(opcTemplateParameters, opcTemplateCombinations, __VA_ARGS__)
#define ASCENDC_TPL_SEL_PARAM(CONTEXT, ...) (CONTEXT)->SetTilingKey(GET_TPL_TILING_KEY(__VA_ARGS__))

// Element types, kinds of kernels and formats under the names of the C side.
enum : int {
  C_DT_FLOAT = ge::DT_FLOAT,
  C_DT_FLOAT16 = ge::DT_FLOAT16,
  C_DT_INT8 = ge::DT_INT8,
  C_DT_INT32 = ge::DT_INT32,
  C_DT_UINT8 = ge::DT_UINT8,
  C_DT_INT16 = ge::DT_INT16,
  C_DT_UINT16 = ge::DT_UINT16,
  C_DT_UINT32 = ge::DT_UINT32,
  C_DT_INT64 = ge::DT_INT64,
  C_DT_UINT64 = ge::DT_UINT64,
  C_DT_DOUBLE = ge::DT_DOUBLE,
  C_DT_BOOL = ge::DT_BOOL,
  C_DT_BF16 = ge::DT_BF16,
};
enum : int { C_FORMAT_NCHW = ge::FORMAT_NCHW, C_FORMAT_NHWC = ge::FORMAT_NHWC, C_FORMAT_ND = ge::FORMAT_ND };
enum : int { ASCENDC_TPL_AICORE, ASCENDC_TPL_AIV_ONLY, ASCENDC_TPL_AIC_ONLY };

#endif // OPC_RUNTIME_ASCENDC_HOST_TEMPLATEARGUMENTS_H
