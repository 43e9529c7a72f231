// The file format of a tiling function.
//
//   "OPCT" u32:version
//   u32:inputs   { u8:kind u16:tensor i16:dim }
//   u16:registers
//   u32:code     { u16:op u16:dst u16:a u16:b i64:imm }
//   u32:outputs  { string:name u8:type u16:register }
//
// A string is u32:length and its bytes; everything is little endian. The reader refuses other versions and
// trailing bytes.

#include "runtime/program/Bytecode.h"
#include "runtime/program/ScalarCodeFile.h"

using namespace opc;

static constexpr std::string_view kMagic = "OPCT";
static constexpr uint32_t kVersion = 1;
static constexpr size_t kInputBytes = 5, kOutputBytes = 7;

std::vector<uint8_t> opc::writeTiling(const TilingFunction &function) {
  ByteWriter writer;
  writer.putBytes(kMagic);
  writer.put(kVersion);
  writer.put(static_cast<uint32_t>(function.inputs.size()));
  for (const TilingInput &input : function.inputs) {
    writer.put(static_cast<uint8_t>(input.kind));
    writer.put(input.tensor);
    writer.put(input.dim);
  }
  writer.put(function.numRegisters);
  writeScalarCode(writer, function.code);
  writer.put(static_cast<uint32_t>(function.outputs.size()));
  for (const TilingFunction::Output &output : function.outputs) {
    writeTilingField(writer, output.field);
    writer.put(output.reg);
  }
  return writer.take();
}

std::string opc::readTiling(const uint8_t *data, size_t size, TilingFunction &function) {
  ByteReader reader(data, size);
  if (!reader.skipBytes(kMagic))
    return "expects a tiling function, found other bytes";
  auto version = reader.get<uint32_t>();
  if (!reader.failed() && version != kVersion)
    return "expects version " + std::to_string(kVersion) + " of tiling functions, found version " +
           std::to_string(version);
  function = {};
  function.inputs.resize(reader.getCount(kInputBytes));
  for (TilingInput &input : function.inputs) {
    input.kind = static_cast<TilingInput::Kind>(reader.get<uint8_t>());
    input.tensor = reader.get<uint16_t>();
    input.dim = reader.get<int16_t>();
  }
  function.numRegisters = reader.get<uint16_t>();
  readScalarCode(reader, function.code);
  function.outputs.resize(reader.getCount(kOutputBytes));
  for (TilingFunction::Output &output : function.outputs) {
    readTilingField(reader, output.field);
    output.reg = reader.get<uint16_t>();
  }
  if (reader.failed())
    return "the tiling function is cut short";
  if (!reader.atEnd())
    return "expects the end of the tiling function, found more bytes";
  return checkTiling(function);
}
