// The assertions hold wherever the header is compiled, on the host and for the chip. If a macro on one side changes
// the type of a field, the later fields move, and the two sides access different bytes. Without the assertions,
// nothing would report that.

#include "lowering/emit/cpp/TilingStruct.h"

#include "lowering/emit/cpp/Names.h"

#include <algorithm>

using namespace opc;

static size_t fieldBytes(TilingField::Type type) {
  return type == TilingField::UInt64 ? 8 : 4;
}

TilingStruct opc::tilingStruct(const std::vector<std::vector<TilingField>> &fieldsOfKernels) {
  TilingStruct data;
  for (const std::vector<TilingField> &fields : fieldsOfKernels)
    for (const TilingField &field : fields) {
      auto found = std::find_if(data.fields.begin(), data.fields.end(),
                                [&](const TilingField &known) { return known.name == field.name; });
      if (found == data.fields.end())
        data.fields.push_back(field);
      else if (field.type == TilingField::UInt64)
        found->type = field.type;
    }
  size_t alignment = 1;
  auto roundUp = [](size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; };
  for (const TilingField &field : data.fields) {
    size_t size = fieldBytes(field.type);
    alignment = std::max(alignment, size);
    data.offsets.push_back(roundUp(data.bytes, size));
    data.bytes = data.offsets.back() + size;
  }
  data.bytes = roundUp(data.bytes, alignment);
  return data;
}

std::string opc::tilingStructName(const std::string &op) {
  return upperCamel(op) + "TilingData";
}

const char *opc::cppTypeName(TilingField::Type type) {
  static constexpr const char *names[] = {"uint32_t", "uint64_t", "float"};
  return names[type];
}

std::vector<std::string> opc::tilingStructLines(const std::string &op, const TilingStruct &data) {
  std::string name = tilingStructName(op);
  std::vector<std::string> lines = {"struct " + name + " {"};
  for (const TilingField &field : data.fields)
    lines.push_back(std::string("  ") + cppTypeName(field.type) + " " + memberName(field.name) + ";");
  lines.insert(lines.end(), {"};", "// The host fills in these bytes; a macro that changes a field "
                                   "on one side must not go unseen."});
  auto check = [&](const std::string &what, size_t value) {
    lines.push_back("static_assert(" + what + " == " + std::to_string(value) + ", \"host and kernel disagree on " +
                    name + "\");");
  };
  check("sizeof(" + name + ")", data.bytes);
  for (size_t i = 0; i < data.fields.size(); ++i)
    check("__builtin_offsetof(" + name + ", " + memberName(data.fields[i].name) + ")", data.offsets[i]);
  return lines;
}
