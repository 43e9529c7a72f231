#include "tools/opc/target/Measurements.h"

#include "runtime/core/File.h"
#include "tools/opc/text/Csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace opc::tool {

/// The columns to read, by the profiler's names.
static const std::vector<std::string> kColumns = {
    "OP Type",      "Input Shapes",     "Input Data Types",  "Output Data Types", "aicore_time(us)",
    "total_cycles", "vec_exe_time(us)", "mte2_exe_time(us)", "mte3_exe_time(us)", "scalar_exe_time(us)"};
enum Column { OpType, InputShapes, InputTypes, OutputTypes, CoreTime, TotalCycles, FirstPipe };

static std::vector<std::string> split(const std::string &text, char between) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == between)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static std::string lower(std::string text) {
  for (char &c : text)
    c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return text;
}

/// Parses "FLOAT16", "DT_BF16", "FLOAT".
static std::optional<ElementType> typeOf(const std::string &text) {
  std::string name = lower(text);
  if (name.rfind("dt_", 0) == 0)
    name = name.substr(3);
  if (name == "float")
    name = "float32";
  if (name == "bf16")
    name = "bfloat16";
  if (name == "double")
    name = "float64";
  for (unsigned i = 0; i < kNumElementTypes; ++i)
    if (elementTypeName(static_cast<ElementType>(i)) == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

/// Parses "1024,1000"; "" is rank 0.
static std::optional<Shape> shapeOf(const std::string &text) {
  Shape shape;
  if (text.empty())
    return shape;
  for (const std::string &part : split(text, ',')) {
    int64_t size = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || end != part.data() + part.size() || size < 0)
      return std::nullopt;
    shape.push_back(size);
  }
  return checkedElements(shape, 8) ? std::optional(shape) : std::nullopt;
}

namespace {
class MeasurementReader {
public:
  MeasurementReader(const std::string &path, const std::vector<std::string> &opTypes, Diagnostics &diagnostics)
      : path(path), opTypes(opTypes), diagnostics(diagnostics) {}

  bool take(unsigned line, const std::vector<std::string> &fields) {
    return columns.empty() ? takeNames(line, fields) : takeRow(line, fields);
  }
  bool hasNames() const { return !columns.empty(); }
  bool fail(unsigned line, const std::string &message, const std::string &fix = {}) {
    diagnostics.error(Code::E0121, Location{path, line}, message, {}, fix);
    return false;
  }
  std::vector<Measurement> rows;
  size_t skipped = 0;

private:
  bool takeNames(unsigned line, const std::vector<std::string> &fields) {
    width = fields.size();
    for (const std::string &name : kColumns) {
      std::vector<size_t> places;
      for (size_t i = 0; i < fields.size(); ++i)
        // Files from spreadsheets have a byte order mark before the first name.
        if (fields[i] == name || (i == 0 && fields[i] == "\xef\xbb\xbf" + name))
          places.push_back(i);
      if (places.size() != 1) {
        return fail(line,
                    "expects a column '" + name + "' once, found " +
                        (places.empty() ? "none" : "it " + std::to_string(places.size()) + " times"),
                    "take op_summary as the profiler writes it, with its line of names first");
      }
      columns.push_back(places.front());
    }
    return true;
  }

  bool number(unsigned line, const std::vector<std::string> &fields, size_t column, double &value) {
    const std::string &text = fields[columns[column]];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
      return fail(line,
                  "expects a number of at least 0 in '" + kColumns[column] + "', found '" + printable(text) + "'");
    return true;
  }

  bool types(unsigned line, const std::vector<std::string> &fields, size_t column, std::vector<ElementType> &list) {
    for (const std::string &part : split(fields[columns[column]], ';')) {
      std::optional<ElementType> type = typeOf(part);
      if (!type)
        return fail(line, "expects element types with ';' between them in '" + kColumns[column] + "', found '" +
                              printable(part) + "'");
      list.push_back(*type);
    }
    return true;
  }

  bool takeRow(unsigned line, const std::vector<std::string> &fields) {
    if (fields.size() != width)
      return fail(line, "expects " + std::to_string(width) + " fields, as the line of names has, found " +
                            std::to_string(fields.size()));
    Measurement row;
    row.line = line;
    row.opType = fields[columns[OpType]];
    if (std::find(opTypes.begin(), opTypes.end(), row.opType) == opTypes.end()) {
      ++skipped;
      return true;
    }
    if (rows.size() == kMaxMeasurements)
      return fail(line, "expects at most " + std::to_string(kMaxMeasurements) + " rows of the operators");
    if (!types(line, fields, InputTypes, row.inputTypes) || !types(line, fields, OutputTypes, row.outputTypes))
      return false;
    for (const std::string &part : split(fields[columns[InputShapes]], ';')) {
      std::optional<Shape> shape = shapeOf(part);
      if (!shape)
        return fail(line, "expects shapes with ';' between them in 'Input Shapes', found '" + printable(part) + "'");
      row.inputShapes.push_back(*shape);
    }
    if (row.inputShapes.size() != row.inputTypes.size())
      return fail(line, "expects as many shapes as types, found " + std::to_string(row.inputShapes.size()) + " and " +
                            std::to_string(row.inputTypes.size()));
    if (!number(line, fields, CoreTime, row.coreMicroseconds) || !number(line, fields, TotalCycles, row.totalCycles))
      return false;
    for (size_t i = 0; i < kMeasuredPipes; ++i)
      if (!number(line, fields, FirstPipe + i, row.microseconds[i]))
        return false;
    rows.push_back(std::move(row));
    return true;
  }

  const std::string &path;
  const std::vector<std::string> &opTypes;
  Diagnostics &diagnostics;
  std::vector<size_t> columns; ///< by Column; empty before the header line was read
  size_t width = 0;
};
} // namespace

std::optional<std::vector<Measurement>> readMeasurements(const std::string &path,
                                                         const std::vector<std::string> &opTypes, size_t &skipped,
                                                         Diagnostics &diagnostics) {
  std::optional<std::string> text = readFile(path, kMaxMeasurementBytes, diagnostics);
  if (!text)
    return std::nullopt;
  MeasurementReader reader(path, opTypes, diagnostics);
  const size_t before = diagnostics.errorCount();
  const bool whole =
      readCsv(*text, [&](unsigned line, const std::vector<std::string> &fields) { return reader.take(line, fields); });
  if (diagnostics.errorCount() == before && !whole)
    reader.fail(0, "expects a table that fits the memory");
  else if (diagnostics.errorCount() == before && !reader.hasNames())
    reader.fail(1, "expects a line of column names, found an empty file");
  else if (diagnostics.errorCount() == before && reader.rows.empty())
    reader.fail(0,
                "expects rows of an operator that --kernels names, found " + std::to_string(reader.skipped) +
                    " rows of others",
                "measure the operators of --kernels, or name the folders of those that were measured");
  if (diagnostics.errorCount() != before)
    return std::nullopt;
  skipped = reader.skipped;
  return std::move(reader.rows);
}

} // namespace opc::tool
