// Converts between contracts and the vendor's JSON form of operator prototypes, which its project generator
// (msopgen) reads.
//
//   [{"op": "AddRelu",
//     "input_desc":  [{"name": "x1", "param_type": "required", "format": ["ND"], "type": ["float16"]}],
//     "output_desc": [...],
//     "attr":        [{"name": "beta", "param_type": "optional", "type": "float", "default_value": 1.0}]}]
//
// Types and formats match by position across tensors, as in a contract's type table. The form has no shapes,
// precision, boundaries or bindings: an imported contract assumes them and marks the assumptions by comments.
//
// Rules proto_c1 to proto_c5, reported as E0280: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_OPS_PROTO_OPERATORJSON_H
#define OPC_OPS_PROTO_OPERATORJSON_H

#include "ops/contract/Contract.h"

namespace opc {

/// The JSON of the operators, in the order of `contracts`.
std::string exportOperatorJson(const std::vector<const Contract *> &contracts);

struct ImportedContract {
  std::string opType; ///< "AddRelu"
  std::string name;   ///< "add_relu"
  std::string text;   ///< op_contract.yaml, with comments where something was assumed
};

/// Converts every operator of a text to a contract that keeps all rules. When one cannot be converted, reports E0280
/// or the broken contract rule and returns an empty list. `path` names the text in messages.
std::vector<ImportedContract> importOperatorJson(const std::string &text, const std::string &path,
                                                 Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_PROTO_OPERATORJSON_H
