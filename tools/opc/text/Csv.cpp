#include "tools/opc/text/Csv.h"

#include <csv.h>

namespace opc::tool {

std::string csvLine(const std::vector<std::string> &fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string &field = fields[i];
    line += i ? "," : "";
    const bool spaces = !field.empty() && (field.front() == ' ' || field.back() == ' ');
    if (!spaces && field.find_first_of(",\"\r\n\t") == std::string::npos) {
      line += field;
      continue;
    }
    std::string quoted(csv_write(nullptr, 0, field.data(), field.size()), '\0');
    csv_write(quoted.data(), quoted.size(), field.data(), field.size());
    line += quoted;
  }
  return line + "\n";
}

namespace {
struct Records {
  const std::function<bool(unsigned, const std::vector<std::string> &)> &take;
  std::vector<std::string> fields;
  unsigned line = 1;
  bool goOn = true;
};
} // namespace

static void takeField(void *text, size_t size, void *context) {
  static_cast<Records *>(context)->fields.emplace_back(static_cast<const char *>(text), size);
}

static void takeRecord(int, void *context) {
  auto &records = *static_cast<Records *>(context);
  if (records.goOn && !records.fields.empty())
    records.goOn = records.take(records.line, records.fields);
  records.fields.clear();
}

bool readCsv(const std::string &text,
             const std::function<bool(unsigned line, const std::vector<std::string> &)> &take) {
  csv_parser parser;
  if (csv_init(&parser, 0) != 0)
    return false;
  Records records{take, {}};
  bool ok = true;
  // Parse line by line, so that the line of each record is known.
  for (size_t from = 0; ok && records.goOn && from < text.size(); ++records.line) {
    const size_t end = text.find('\n', from);
    const size_t to = end == std::string::npos ? text.size() : end + 1;
    ok = csv_parse(&parser, text.data() + from, to - from, takeField, takeRecord, &records) == to - from;
    from = to;
  }
  if (!text.empty() && text.back() != '\n') // the last line has no line break, and the record ends on it
    --records.line;
  ok = ok && csv_fini(&parser, takeField, takeRecord, &records) == 0;
  csv_free(&parser);
  return ok;
}

} // namespace opc::tool
