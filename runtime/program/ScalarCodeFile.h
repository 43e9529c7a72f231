// Parts that the file formats of tiling functions and simulator programs share.

#ifndef OPC_RUNTIME_PROGRAM_SCALARCODEFILE_H
#define OPC_RUNTIME_PROGRAM_SCALARCODEFILE_H

#include "runtime/program/Bytecode.h"
#include "runtime/program/format/ByteStream.h"

namespace opc {

inline constexpr size_t kScalarInstructionBytes = 16;
inline constexpr size_t kTilingFieldBytes = 5;

inline void writeScalarCode(ByteWriter &writer, const std::vector<ScalarInstruction> &code) {
  writer.put(static_cast<uint32_t>(code.size()));
  for (const ScalarInstruction &instruction : code) {
    writer.put(static_cast<uint16_t>(instruction.op));
    writer.put(instruction.dst);
    writer.put(instruction.a);
    writer.put(instruction.b);
    writer.put(instruction.imm);
  }
}

inline void readScalarCode(ByteReader &reader, std::vector<ScalarInstruction> &code) {
  code.resize(reader.getCount(kScalarInstructionBytes));
  for (ScalarInstruction &instruction : code) {
    instruction.op = static_cast<ScalarOp>(reader.get<uint16_t>());
    instruction.dst = reader.get<uint16_t>();
    instruction.a = reader.get<uint16_t>();
    instruction.b = reader.get<uint16_t>();
    instruction.imm = reader.get<int64_t>();
  }
}

inline void writeTilingField(ByteWriter &writer, const TilingField &field) {
  writer.putString(field.name);
  writer.put(static_cast<uint8_t>(field.type));
}

inline void readTilingField(ByteReader &reader, TilingField &field) {
  field.name = reader.getString();
  field.type = static_cast<TilingField::Type>(reader.get<uint8_t>());
}

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_SCALARCODEFILE_H
