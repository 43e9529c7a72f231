// The elements of tensors as bytes.

#ifndef OPC_OPS_ONNX_TENSORDATA_H
#define OPC_OPS_ONNX_TENSORDATA_H

#include "ops/onnx/Model.h"

namespace opc::onnx {

/// Elements in rows, little endian, those below 8 bits packed from the lowest bit on: a view into a mapped file if it
/// has them in this form, a copy otherwise.
class TensorBytes {
public:
  explicit TensorBytes(std::string_view view) : view(view) {}
  explicit TensorBytes(std::string copy) : copy(std::move(copy)), isCopy(true) {}
  std::string_view get() const { return isCopy ? std::string_view(copy) : view; }
  /// Whether the bytes are those of a file and stay valid as long as the model.
  bool isMapped() const { return !isCopy; }

private:
  std::string_view view;
  std::string copy;
  bool isCopy = false;
};

/// The bytes of a tensor that is not a string tensor; empty for external data of a model whose files were not opened.
TensorBytes tensorBytes(const Model &model, const Tensor &tensor);
/// The elements of a string tensor; empty for others.
std::vector<std::string_view> tensorStrings(const Tensor &tensor);
/// The elements of an integer or bool tensor with at most `limit` of them; nullopt for others, and for external data of
/// a model whose files were not opened.
std::optional<std::vector<int64_t>> tensorIntegers(const Model &model, const Tensor &tensor, size_t limit = 4096);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_TENSORDATA_H
