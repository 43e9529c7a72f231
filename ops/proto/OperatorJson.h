// The vendor's JSON form of an operator prototype, which its project generator (msopgen) reads: to a contract and back.
//
//   [{"op": "AddRelu",
//     "input_desc":  [{"name": "x1", "param_type": "required", "format": ["ND"], "type": ["float16"]}],
//     "output_desc": [...],
//     "attr":        [{"name": "beta", "param_type": "optional", "type": "float", "default_value": 1.0}]}]
//
// Types and formats match by position across tensors, as in a contract's type table. The form says nothing of shapes,
// precision, edges or binding: an imported contract assumes something and says so in comments.
//
// Rules proto_c1 to proto_c5, reported as E0280: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_OPS_PROTO_OPERATORJSON_H
#define OPC_OPS_PROTO_OPERATORJSON_H

#include "ops/contract/Contract.h"

namespace opc {

/// The JSON of some operators, in their order.
std::string exportOperatorJson(const std::vector<const Contract *> &contracts);

struct ImportedContract {
  std::string opType; ///< "AddRelu"
  std::string name;   ///< "add_relu"
  std::string text;   ///< op_contract.yaml, with comments where something was assumed
};

/// Every operator of a text as a contract that keeps the rules; nothing, with E0280 or the contract rule that is
/// broken, when one cannot be taken. `path` names the text in messages.
std::vector<ImportedContract> importOperatorJson(const std::string &text, const std::string &path,
                                                 Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_PROTO_OPERATORJSON_H
