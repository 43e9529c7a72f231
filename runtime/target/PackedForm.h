// Forms of packed weights: how the elements of a tensor become matrices in columns of fractals.

#ifndef OPC_RUNTIME_TARGET_PACKEDFORM_H
#define OPC_RUNTIME_TARGET_PACKEDFORM_H

#include <cstdint>
#include <string_view>

namespace opc {

enum class PackedForm : uint8_t {
  None,     ///< row by row
  Matrices, ///< FRACTAL_NZ: the matrices of the last two dimensions, one by one
  Filters,  ///< FILTERS_NZ: one matrix, with a row for each filter, the first dimension, and the others along it
};

/// The format of a form in contracts, manifests and files; empty for rows.
constexpr std::string_view formatOf(PackedForm form) {
  constexpr std::string_view names[] = {"", "FRACTAL_NZ", "FILTERS_NZ"};
  return names[static_cast<unsigned>(form)];
}

/// None for other formats.
constexpr PackedForm packedFormOf(std::string_view format) {
  for (PackedForm form : {PackedForm::Matrices, PackedForm::Filters})
    if (format == formatOf(form))
      return form;
  return PackedForm::None;
}

/// The name of a format in the vendor's framework, which has one for columns of fractals, whatever matrices they are.
constexpr std::string_view frameworkFormatOf(std::string_view format) {
  return packedFormOf(format) == PackedForm::None ? format : formatOf(PackedForm::Matrices);
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_PACKEDFORM_H
