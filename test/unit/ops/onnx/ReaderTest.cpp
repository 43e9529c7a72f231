// The rules onnx_c1 to onnx_c17, each with a model that breaks it; and files that were made to hurt.

#include "ops/onnx/Reader.h"
#include "ops/onnx/TensorData.h"
#include "test/unit/ops/onnx/ModelBytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Writer = protozero::pbf_writer;

/// The error of a model that must be refused, as "label: message".
static std::string refusal(const std::string &bytes) {
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> read = onnx::readModel(bytes, "m.onnx", diagnostics);
  EXPECT_EQ(read == nullptr, diagnostics.hasErrors());
  if (read)
    return "none";
  EXPECT_EQ(diagnostics.errorCount(), 1u);
  const Diagnostic &error = diagnostics.all().back();
  EXPECT_EQ(error.location.file, "m.onnx");
  return error.rule + ": " + error.message;
}

static std::unique_ptr<onnx::Model> accepted(std::string bytes) {
  static std::deque<std::string> kept; // a model refers to its bytes
  kept.push_back(std::move(bytes));
  Diagnostics diagnostics;
  std::unique_ptr<onnx::Model> read = onnx::readModel(kept.back(), "m.onnx", diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return read;
}

static std::string intAttribute(const std::string &name, int64_t value) {
  return message([&](Writer &writer) {
    writer.add_string(1, name);
    writer.add_int64(3, value);
    writer.add_enum(20, 2);
  });
}

static std::string graphAttribute(const std::string &name, const std::string &graph) {
  return message([&](Writer &writer) {
    writer.add_string(1, name);
    writer.add_message(6, graph);
    writer.add_enum(20, 5);
  });
}

static std::string reluModel() {
  return model(graph({{node("Relu", {"x"}, {"y"})}, {}, {}}));
}

// A right model is read; each prefix of it is refused, or is a model with less in it, and never more than that.
TEST(OnnxReader, EveryPrefix) {
  std::string bytes =
      model(graph({{node("Add", {"x", "w"}, {"y"}, intAttribute("axis", 300))}, {tensor("w", {2, 3}, 24)}, {}}));
  std::unique_ptr<onnx::Model> whole = accepted(bytes);
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->graph.nodes.size(), 1u);
  EXPECT_EQ(whole->graph.nodes[0].name, "the_Add");
  EXPECT_EQ(whole->graph.nodes[0].find("axis")->ints, std::vector<int64_t>{300});
  EXPECT_EQ(whole->opset(""), 21);
  EXPECT_EQ(whole->weightBytes(), 24u);
  size_t refused = 0;
  for (size_t size = 0; size < bytes.size(); ++size)
    refused += refusal(bytes.substr(0, size)) != "none";
  EXPECT_EQ(refused, bytes.size());
}

// Each byte changed to each of some values: an error or a model, no crash. Sanitizers look on.
TEST(OnnxReader, EveryByte) {
  std::string bytes =
      model(graph({{node("Add", {"x", "w"}, {"y"}, intAttribute("axis", 300))}, {tensor("w", {2, 3}, 24)}, {}}));
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      refused += refusal(changed) != "none";
    }
  EXPECT_GT(refused, bytes.size());
}

TEST(OnnxReader, WireFormat) {
  EXPECT_THAT(refusal("\x07\x08\x09"), HasSubstr("onnx_c1: expects a model of ONNX, which is a protocol buffer"));
  EXPECT_THAT(refusal(reluModel().substr(0, 20)), HasSubstr("at byte"));
  // ir_version as a text.
  EXPECT_THAT(refusal(message([](Writer &writer) { writer.add_string(1, "ten"); })),
              HasSubstr("onnx_c1: expects field 1 in its wire type, found type 2 at byte 0"));
  // A node whose name is a number: the place is reported.
  std::string wrong = message([](Writer &writer) { writer.add_int64(4, 7); });
  std::string bytes = model(graph({{node("Relu", {"x"}, {"y"}), wrong}, {}, {}}));
  EXPECT_THAT(refusal(bytes), HasSubstr("onnx_c1: expects field 4 in its wire type, found type 0 at byte " +
                                        std::to_string(bytes.find(wrong)) + ", in node 1"));
  // A packed list that ends within a number.
  std::string cut = message([](Writer &writer) {
    writer.add_int32(2, 7);
    writer.add_bytes(7, "\x80\x80");
  });
  EXPECT_THAT(refusal(model(graph({{}, {cut}, {}}))),
              HasSubstr("onnx_c1: expects numbers that end within their field"));
  // A number of twelve bytes in a packed list, which is no number of 64 bits.
  std::string longer = message([](Writer &writer) {
    writer.add_int64(1, 1);
    writer.add_int32(2, 7);
    writer.add_bytes(7, std::string(11, '\x81') + "\x01");
  });
  EXPECT_THAT(refusal(model(graph({{}, {longer}, {}}))), HasSubstr("onnx_c1: expects numbers of at most 10 bytes"));
  std::string odd = message([](Writer &writer) {
    writer.add_int32(2, 1);
    writer.add_bytes(4, "abc");
  });
  EXPECT_THAT(refusal(model(graph({{}, {odd}, {}}))), HasSubstr("onnx_c1: expects whole numbers of 4 bytes"));
}

TEST(OnnxReader, GraphAndVersion) {
  EXPECT_THAT(
      refusal(""),
      HasSubstr("onnx_c2: expects a model of ONNX, with an IR version and a graph, found a file without a graph"));
  EXPECT_THAT(refusal(message([](Writer &writer) { writer.add_message(7, graph({})); })),
              HasSubstr("without a version"));
  EXPECT_THAT(refusal(model(graph({{}, {}, {}, {"x"}, {}}), [](Writer &writer) { writer.add_message(7, graph({})); })),
              HasSubstr("onnx_c2: expects one graph in a model, found a second one"));
}

// 40 graphs in each other, and types likewise; a stack overflow without the limit at some thousand.
TEST(OnnxReader, Depth) {
  auto nested = [](unsigned depth) {
    std::string inner = graph({{}, {}, {}, {}, {}});
    for (unsigned i = 0; i < depth; ++i)
      inner = graph({{node("If", {"x"}, {"y"}, graphAttribute("then", inner))}, {}, {}});
    return model(inner);
  };
  EXPECT_TRUE(accepted(nested(30)));
  EXPECT_THAT(refusal(nested(40)), HasSubstr("onnx_c3: expects graphs and types nested at most 32 deep"));
  EXPECT_THAT(refusal(nested(2000)), HasSubstr("onnx_c3"));
  std::string type;
  for (unsigned i = 0; i < 2000; ++i) {
    std::string outer = message([&](Writer &writer) { writer.add_message(1, type); });
    type = message([&](Writer &writer) { writer.add_message(4, outer); });
  }
  std::string input = message([&](Writer &writer) {
    writer.add_string(1, "x");
    writer.add_message(2, type);
  });
  std::string whole = message([&](Writer &writer) { writer.add_message(11, input); });
  EXPECT_THAT(refusal(model(whole)), HasSubstr("onnx_c3"));
}

// Messages of no bytes cost two each in the file and some hundred in memory.
TEST(OnnxReader, Memory) {
  std::string nodes(8'400'000, '\0');
  for (size_t i = 0; i < nodes.size(); i += 2)
    nodes[i] = '\x0a';
  EXPECT_THAT(refusal(model(nodes)),
              HasSubstr("onnx_c4: expects nodes, names and numbers of attributes that take at most 512 MiB"));
}

TEST(OnnxReader, Utf8) {
  EXPECT_THAT(refusal(model(graph({{node("Relu\xc0\xaf", {"x"}, {"y"})}, {}, {}}))),
              HasSubstr("onnx_c5: expects names in UTF-8, found 'the_Relu\\xc0\\xaf'"));
  EXPECT_TRUE(accepted(model(graph({{node("Relu", {"x"}, {"\xc3\xa9"})}, {}, {}, {"x"}, {"\xc3\xa9"}}))));
}

TEST(OnnxReader, Versions) {
  auto versions = [](int64_t ir, std::vector<std::pair<std::string, int64_t>> opsets) {
    return message([&](Writer &writer) {
      writer.add_int64(1, ir);
      for (const auto &[domain, version] : opsets)
        writer.add_message(8, opset(domain, version));
      writer.add_message(7, graph({{node("Relu", {"x"}, {"y"})}, {}, {}}));
    });
  };
  EXPECT_THAT(refusal(versions(0, {{"", 21}})), HasSubstr("onnx_c6: expects an IR version from 1 on, found 0"));
  EXPECT_THAT(refusal(versions(10, {{"", 21}, {"ai.onnx", 20}})),
              HasSubstr("onnx_c6: expects one version of each domain, found two of 'ai.onnx'"));
  EXPECT_EQ(accepted(versions(1, {}))->opset(""), 1);
  for (auto [ir, opset, warnings] : {std::tuple(15, 21, 1), std::tuple(10, 6, 1), std::tuple(10, 29, 1),
                                     std::tuple(14, 28, 0), std::tuple(3, 7, 0)}) {
    Diagnostics diagnostics;
    EXPECT_TRUE(onnx::readModel(versions(ir, {{"", opset}}), "m.onnx", diagnostics));
    EXPECT_EQ(diagnostics.all().size(), static_cast<size_t>(warnings)) << ir << " " << opset;
    for (const Diagnostic &each : diagnostics.all())
      EXPECT_EQ(each.rule, "onnx_c6");
  }
}

TEST(OnnxReader, TensorData) {
  auto with = [](const std::string &initializer) { return model(graph({{}, {initializer}, {}, {"x"}, {}})); };
  EXPECT_TRUE(accepted(with(tensor("w", {2, 3}, 24))));
  EXPECT_THAT(refusal(with(tensor("w", {2, 3}, 20))),
              HasSubstr("onnx_c7: expects 24 bytes for the 6 elements of 'w', float32 [2, 3], found 20 at byte"));
  EXPECT_THAT(refusal(with(tensor("w", {1}, 4, 99))),
              HasSubstr("onnx_c7: expects a type of elements that ONNX has for 'w', found number 99"));
  EXPECT_THAT(refusal(with(tensor("w", {1}, 4, 8))),
              HasSubstr("onnx_c7: expects strings in 'string_data', found 'raw_data'"));
  auto fields = [&](const std::function<void(Writer &)> &fill) {
    return refusal(with(message([&](Writer &writer) {
      writer.add_string(8, "w");
      fill(writer);
    })));
  };
  EXPECT_THAT(fields([](Writer &writer) { writer.add_int32(2, 1); }),
              HasSubstr("onnx_c7: expects 1 entries for the 1 elements of 'w', float32 [], found 0"));
  EXPECT_THAT(fields([](Writer &writer) {
                writer.add_int32(2, 1);
                writer.add_int64(7, 3);
              }),
              HasSubstr("onnx_c7: expects elements of type float32 in field 4, found field 7"));
  EXPECT_THAT(fields([](Writer &writer) {
                writer.add_int32(2, 1);
                writer.add_float(4, 3);
                writer.add_bytes(9, "abcd");
              }),
              HasSubstr("onnx_c7: expects the elements of a tensor in one field, found several"));
  EXPECT_THAT(fields([](Writer &writer) { writer.add_message(3, std::string()); }),
              HasSubstr("onnx_c7: expects tensors in one piece, found a segment of one"));
}

// What a broken file needs is said beside what is broken.
TEST(OnnxReader, FixesOfBrokenFiles) {
  auto fix = [](const std::string &bytes) {
    Diagnostics diagnostics;
    EXPECT_FALSE(onnx::readModel(bytes, "m.onnx", diagnostics));
    return diagnostics.all().empty() ? "" : diagnostics.all().front().fix;
  };
  auto with = [](const std::string &initializer) { return model(graph({{}, {initializer}, {}, {"x"}, {}})); };
  EXPECT_THAT(fix(with(tensor("w", {2, 3}, 20))), HasSubstr("its shape and its data do not belong together"));
  EXPECT_THAT(fix(with(tensor("w", {-1}, 4))), HasSubstr("no exporter writes such sizes"));
  EXPECT_THAT(fix(model(graph({{node("Neg", {"y"}, {"y"})}, {}, {}}))), HasSubstr("a Loop or a Scan"));
}

// Sizes whose product does not fit 64 bits, one that is negative, and many dimensions.
TEST(OnnxReader, TensorSizes) {
  auto with = [](const std::vector<int64_t> &shape) {
    return refusal(model(graph({{}, {tensor("w", shape, 0)}, {}, {"x"}, {}})));
  };
  constexpr int64_t huge = int64_t(1) << 60;
  EXPECT_THAT(with({huge, huge}),
              HasSubstr("onnx_c8: expects sizes of a tensor from 0 on, less than 2^56 elements in all, found 'w'"));
  EXPECT_THAT(with({huge, huge, 0}), HasSubstr("onnx_c8"));
  EXPECT_THAT(with({huge}), HasSubstr("onnx_c8"));
  EXPECT_THAT(with({-1}), HasSubstr("onnx_c8"));
  EXPECT_THAT(with({INT64_MIN, -1}), HasSubstr("onnx_c8"));
  EXPECT_THAT(with({int64_t(1) << 40}), HasSubstr("onnx_c7: expects 4398046511104 bytes"));
  EXPECT_THAT(with(std::vector<int64_t>(65, 1)),
              HasSubstr("onnx_c8: expects a tensor of rank 64 at most, found rank 65"));
  EXPECT_EQ(with({0, 5}), "none");
}

// The type of a value and a sparse tensor have a rank too, and each node that reads the value copies its shape.
TEST(OnnxReader, RanksOfTypes) {
  auto valueOfRank = [](unsigned rank) {
    const std::string shape = message([&](Writer &writer) {
      for (unsigned i = 0; i < rank; ++i)
        writer.add_message(1, message([](Writer &dim) { dim.add_int64(1, 1); }));
    });
    const std::string tensorType = message([&](Writer &writer) {
      writer.add_enum(1, 1);
      writer.add_message(2, shape);
    });
    const std::string type = message([&](Writer &writer) { writer.add_message(1, tensorType); });
    const std::string input = message([&](Writer &writer) {
      writer.add_string(1, "z");
      writer.add_message(2, type);
    });
    return refusal(model(graph({{node("Relu", {"x"}, {"y"})}, {}, {}}) +
                         message([&](Writer &writer) { writer.add_message(11, input); })));
  };
  EXPECT_EQ(valueOfRank(64), "none");
  EXPECT_THAT(valueOfRank(65), HasSubstr("onnx_c8: expects a tensor of rank 64 at most, found rank 65"));
}

TEST(OnnxReader, Names) {
  EXPECT_THAT(
      refusal(model(graph({{node("Relu", {"x"}, {"y"}), node("Neg", {"x"}, {"y"})}, {}, {}}))),
      HasSubstr(
          "onnx_c10: expects each value to be written once, found a second 'y' in node 1 ('the_Neg', Neg) at byte"));
  EXPECT_THAT(refusal(model(graph({{node("Relu", {"x"}, {"x"})}, {}, {}}))), HasSubstr("onnx_c10"));
  EXPECT_THAT(refusal(model(graph({{}, {}, {}, {"x", "x"}, {}}))), HasSubstr("onnx_c10"));
  EXPECT_THAT(refusal(model(graph({{}, {}, {}, {""}, {}}))),
              HasSubstr("onnx_c10: expects inputs of a graph to have names"));
  EXPECT_THAT(refusal(model(graph({{}, {tensor("w", {1}, 4), tensor("w", {1}, 4)}, {}, {"x"}, {}}))),
              HasSubstr("onnx_c10"));
  EXPECT_THAT(refusal(model(graph({{}, {tensor("", {1}, 4)}, {}, {"x"}, {}}))),
              HasSubstr("onnx_c10: expects initializers to have names"));
  // An initializer with the name of an input is its default.
  EXPECT_TRUE(accepted(model(graph({{node("Relu", {"x"}, {"y"})}, {tensor("x", {1}, 4)}, {}}))));
}

TEST(OnnxReader, MissingValues) {
  EXPECT_THAT(refusal(model(graph({{node("Add", {"x", "weight"}, {"y"})}, {tensor("weights", {1}, 4)}, {}}))),
              HasSubstr("onnx_c11: expects a value that an input, an initializer or a node gives, found 'weight' in "
                        "node 0 ('the_Add', Add)"));
  EXPECT_THAT(refusal(model(graph({{node("Relu", {"x"}, {"z"})}, {}, {}}))),
              HasSubstr("onnx_c16: expects outputs of a graph to be values of it, found 'y'"));
  // A subgraph reads the graph around it, which does not read the subgraph.
  std::string inner = graph({{node("Neg", {"x"}, {"inside"})}, {}, {}, {}, {"inside"}});
  EXPECT_TRUE(accepted(model(graph({{node("If", {"x"}, {"y"}, graphAttribute("then", inner))}, {}, {}}))));
  EXPECT_THAT(
      refusal(model(
          graph({{node("If", {"x"}, {"z"}, graphAttribute("then", inner)), node("Neg", {"inside"}, {"y"})}, {}, {}}))),
      HasSubstr("onnx_c11"));
}

// Nodes out of order are sorted, also where a subgraph is what reads; a cycle cannot be.
TEST(OnnxReader, Order) {
  std::unique_ptr<onnx::Model> sorted = accepted(
      model(graph({{node("Relu", {"b"}, {"y"}), node("Neg", {"x"}, {"a"}), node("Abs", {"a"}, {"b"})}, {}, {}})));
  ASSERT_TRUE(sorted);
  EXPECT_EQ(sorted->graph.nodes[0].op, "Neg");
  EXPECT_EQ(sorted->graph.nodes[1].op, "Abs");
  EXPECT_EQ(sorted->graph.nodes[2].op, "Relu");
  EXPECT_EQ(sorted->graph.nodes[2].index, 0u);
  std::string inner = graph({{node("Neg", {"late"}, {"inside"})}, {}, {}, {}, {"inside"}});
  sorted = accepted(
      model(graph({{node("If", {"x"}, {"y"}, graphAttribute("then", inner)), node("Abs", {"x"}, {"late"})}, {}, {}})));
  ASSERT_TRUE(sorted);
  EXPECT_EQ(sorted->graph.nodes[0].op, "Abs");
  EXPECT_THAT(refusal(model(
                  graph({{node("Neg", {"b"}, {"a"}), node("Abs", {"a"}, {"b"}), node("Relu", {"b"}, {"y"})}, {}, {}}))),
              HasSubstr("onnx_c12: expects nodes without a cycle, found that one reads its own result, in node"));
  EXPECT_THAT(refusal(model(graph({{node("Neg", {"y"}, {"y"})}, {}, {}}))), HasSubstr("onnx_c12"));
}

TEST(OnnxReader, Attributes) {
  auto with = [](const std::function<void(Writer &)> &fill) {
    return refusal(model(graph({{node("Relu", {"x"}, {"y"}, message(fill))}, {}, {}})));
  };
  EXPECT_THAT(with([](Writer &writer) { writer.add_int64(3, 1); }),
              HasSubstr("onnx_c13: expects a name, found none of attribute ''"));
  EXPECT_THAT(with([](Writer &writer) { writer.add_string(1, "a"); }),
              HasSubstr("onnx_c13: expects a value, found none, of attribute 'a'"));
  EXPECT_THAT(with([](Writer &writer) {
                writer.add_string(1, "a");
                writer.add_enum(20, 99);
              }),
              HasSubstr("onnx_c13: expects a type that ONNX has, found number 99"));
  EXPECT_THAT(with([](Writer &writer) {
                writer.add_string(1, "a");
                writer.add_int64(3, 1);
                writer.add_enum(20, 1);
              }),
              HasSubstr("onnx_c13: expects a value of type FLOAT, found INT, of attribute 'a'"));
  EXPECT_THAT(with([](Writer &writer) {
                writer.add_string(1, "a");
                writer.add_int64(3, 1);
                writer.add_float(2, 1);
              }),
              HasSubstr("onnx_c13: expects one value of attribute 'a', found several"));
  EXPECT_THAT(with([](Writer &writer) {
                writer.add_string(1, "a");
                writer.add_string(21, "outer");
                writer.add_int64(3, 1);
              }),
              HasSubstr("onnx_c13: expects a value or a reference, found both"));
  EXPECT_THAT(with([](Writer &writer) {
                writer.add_string(1, "a");
                writer.add_string(21, "outer");
              }),
              HasSubstr("onnx_c13: expects a reference to an attribute of the function around it, found 'outer'"));
  std::string twice = node("Relu", {"x"}, {"y"}, intAttribute("a", 1));
  Writer(twice).add_message(5, intAttribute("a", 2));
  EXPECT_THAT(refusal(model(graph({{twice}, {}, {}}))),
              HasSubstr("onnx_c13: expects each attribute once, found a second 'a'"));
}

TEST(OnnxReader, Operators) {
  EXPECT_THAT(refusal(model(graph({{node("", {"x"}, {"y"})}, {}, {}}))),
              HasSubstr("onnx_c14: expects the name of an operator, found none"));
  EXPECT_THAT(refusal(model(graph({{node("Own", {"x"}, {"y"}, {}, "com.example")}, {}, {}}))),
              HasSubstr("onnx_c14: expects a version for the domain 'com.example', found none in node 0 ('the_Own', "
                        "com.example.Own)"));
}

TEST(OnnxReader, Functions) {
  auto function = [](const std::string &name, const std::string &calls, const std::string &output = "b") {
    return message([&](Writer &writer) {
      writer.add_string(1, name);
      writer.add_string(4, "a");
      writer.add_string(5, output);
      writer.add_message(7, node(calls, {"a"}, {"b"}, {}, "own"));
      writer.add_message(9, opset("own", 1));
      writer.add_string(10, "own");
    });
  };
  auto with = [](const std::vector<std::string> &functions) {
    return model(graph({{node("Relu", {"x"}, {"y"})}, {}, {}}), [&](Writer &writer) {
      for (const std::string &each : functions)
        writer.add_message(25, each);
    });
  };
  EXPECT_TRUE(accepted(with({function("F", "G"), function("G", "Neg")})));
  EXPECT_THAT(refusal(with({function("F", "Neg"), function("F", "Abs")})),
              HasSubstr("onnx_c15: expects functions with names that differ, found 'F'"));
  EXPECT_THAT(refusal(with({function("F", "F")})),
              HasSubstr("onnx_c15: expects functions that do not call themselves, found 'F'"));
  EXPECT_THAT(refusal(with({function("F", "G"), function("G", "F")})), HasSubstr("onnx_c15"));
  EXPECT_THAT(refusal(with({function("F", "Neg", "c")})),
              HasSubstr("onnx_c16: expects outputs of function 'F' to be values of it, found 'c'"));
}

TEST(OnnxReader, SparseTensors) {
  auto with = [](const std::vector<int64_t> &values, const std::vector<int64_t> &places, int32_t type,
                 const std::vector<int64_t> &shape) {
    size_t bytes = 8;
    for (int64_t size : places)
      bytes *= static_cast<size_t>(size);
    std::string sparse = message([&](Writer &writer) {
      writer.add_message(1, tensor("s", values, 4 * static_cast<size_t>(values[0])));
      writer.add_message(2, tensor("", places, type == 7 ? bytes : bytes / 2, type));
      for (int64_t size : shape)
        writer.add_int64(3, size);
    });
    return refusal(model(graph({{}, {}, {sparse}, {"x"}, {}})));
  };
  EXPECT_EQ(with({2}, {2}, 7, {3, 3}), "none");
  EXPECT_EQ(with({2}, {2, 2}, 7, {3, 3}), "none");
  EXPECT_THAT(with({2}, {3}, 7, {3, 3}),
              HasSubstr("onnx_c17: expects an int64 place for each value in the sparse tensor 's'"));
  EXPECT_THAT(with({2}, {2}, 6, {3, 3}), HasSubstr("onnx_c17"));
  EXPECT_THAT(with({2, 1}, {2}, 7, {3, 3}), HasSubstr("onnx_c17: expects values in one list, found rank 2"));
  EXPECT_THAT(with({2}, {2}, 7, {-3}), HasSubstr("onnx_c17: expects sizes from 0 on, found -3"));
}

namespace {
/// A folder with a model whose weights are in a file.
class OnnxExternal : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc_onnx_" + std::to_string(getpid()));
    fs::create_directories(folder / "model" / "data");
    std::ofstream(folder / "secret.bin") << std::string(64, 's');
    std::ofstream(folder / "model" / "data" / "w.bin") << std::string(20, 'w');
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A tensor of 16 bytes outside of the model.
  static std::string external(const std::vector<std::pair<std::string, std::string>> &entries) {
    return message([&](Writer &writer) {
      writer.add_int64(1, 4);
      writer.add_int32(2, 1);
      writer.add_string(8, "w");
      for (const auto &[key, value] : entries)
        writer.add_message(13, message([&, &key = key, &value = value](Writer &entry) {
                             entry.add_string(1, key);
                             entry.add_string(2, value);
                           }));
      writer.add_enum(14, 1);
    });
  }

  /// The model of these bytes as a file, or the error.
  std::pair<std::unique_ptr<onnx::Model>, std::string> read(const std::string &bytes) {
    fs::path path = folder / "model" / "m.onnx";
    std::ofstream(path, std::ios::binary) << bytes;
    Diagnostics diagnostics;
    std::unique_ptr<onnx::Model> model = onnx::loadModel(path.string(), diagnostics);
    EXPECT_EQ(model == nullptr, diagnostics.hasErrors());
    return {std::move(model), model ? "" : diagnostics.all().back().rule + ": " + diagnostics.all().back().message};
  }

  /// The error for a tensor of 16 bytes, or its bytes.
  std::string load(const std::vector<std::pair<std::string, std::string>> &entries) {
    auto [loaded, error] = read(model(graph({{node("Add", {"x", "w"}, {"y"})}, {external(entries)}, {}})));
    return loaded ? std::string(tensorBytes(*loaded, loaded->graph.initializers[0]).get()) : error;
  }
  fs::path folder;
};
} // namespace

TEST_F(OnnxExternal, Bytes) {
  EXPECT_EQ(load({{"location", "data/w.bin"}}), std::string(16, 'w'));
  EXPECT_EQ(load({{"location", "./data/w.bin"}, {"offset", "4"}, {"length", "16"}}), std::string(16, 'w'));
}

TEST_F(OnnxExternal, Refused) {
  EXPECT_THAT(load({{"location", "../secret.bin"}}),
              HasSubstr("onnx_c9: expects external data below the model's folder, found '../secret.bin', which leads "
                        "out of the folder by '..', for 'w' at byte"));
  EXPECT_THAT(load({{"location", "data/../../secret.bin"}}), HasSubstr("onnx_c9"));
  EXPECT_THAT(load({{"location", (folder / "secret.bin").string()}}), HasSubstr("which is absolute"));
  EXPECT_THAT(load({}), HasSubstr("which is empty"));
  fs::create_symlink("../secret.bin", folder / "model" / "link.bin");
  EXPECT_THAT(load({{"location", "link.bin"}}), HasSubstr("which is a link out of it"));
  fs::create_directory_symlink("..", folder / "model" / "up");
  EXPECT_THAT(load({{"location", "up/secret.bin"}}), HasSubstr("which is a link out of it"));
  EXPECT_THAT(load({{"location", "none.bin"}}),
              HasSubstr("expects external data in a file beside the model, found no 'none.bin'"));
  EXPECT_THAT(load({{"location", "data"}}), HasSubstr("found a folder at 'data'"));
  EXPECT_THAT(load({{"location", "data/w.bin"}, {"offset", "5"}}),
              HasSubstr("found bytes 5 to 21 of 'data/w.bin', which has 20"));
  EXPECT_THAT(load({{"location", "data/w.bin"}, {"offset", "999999999999999999"}}), HasSubstr("which has 20"));
  EXPECT_THAT(load({{"location", "data/w.bin"}, {"offset", "99999999999999999999"}}), HasSubstr("whole numbers"));
  EXPECT_THAT(load({{"location", "data/w.bin"}, {"offset", "-1"}}),
              HasSubstr("onnx_c9: expects 'offset' and 'length' of external data to be whole numbers, found '-1'"));
  EXPECT_THAT(load({{"location", "data/w.bin"}, {"length", "12"}}),
              HasSubstr("onnx_c7: expects 16 bytes of external data"));
}

// The default of a function's attribute may be a tensor too.
TEST_F(OnnxExternal, DefaultsOfFunctions) {
  auto withDefault = [&](const std::string &location) {
    const std::string attribute = message([&](Writer &writer) {
      writer.add_string(1, "v");
      writer.add_message(5, external({{"location", location}}));
      writer.add_enum(20, 4);
    });
    const std::string function = message([&](Writer &writer) {
      writer.add_string(1, "F");
      writer.add_string(4, "x");
      writer.add_string(5, "y");
      writer.add_message(7, node("Relu", {"x"}, {"y"}));
      writer.add_message(9, opset("", 21));
      writer.add_string(10, "own");
      writer.add_message(11, attribute);
    });
    return read(model(graph({{node("F", {"x"}, {"y"}, {}, "own")}, {}, {}}),
                      [&](Writer &writer) {
                        writer.add_message(8, opset("own", 1));
                        writer.add_message(25, function);
                      }))
        .second;
  };
  EXPECT_EQ(withDefault("data/w.bin"), "");
  EXPECT_THAT(withDefault("../secret.bin"), HasSubstr("onnx_c9"));
}

TEST(OnnxReader, Files) {
  auto load = [](const std::string &path) {
    Diagnostics diagnostics;
    EXPECT_FALSE(onnx::loadModel(path, diagnostics));
    return diagnostics.all().back().message;
  };
  EXPECT_EQ(load("/none.onnx"), "expects a model that can be read, found no such file");
  EXPECT_EQ(load("/tmp"), "expects a model that can be read, found a folder");
  EXPECT_EQ(load("/dev/zero"), "expects a model that can be read, found no plain file");
}
