// libopc_bench_onednn.so: oneDNN (version 2) as a peer of ./dev bench. A primitive over memory of the caller, with
// the caller's number of threads; stream and arguments are made ready before.

#include "test/perf/BenchCall.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

using namespace dnnl;

// Of the OpenMP library that oneDNN brings.
extern "C" __attribute__((weak)) void omp_set_num_threads(int);

namespace {

struct Call : opc_bench_call {
  Call(primitive todo, stream on, std::unordered_map<int, memory> arguments, int threads)
      : todo(std::move(todo)), on(std::move(on)), arguments(std::move(arguments)), threads(threads) {
    run = [](opc_bench_call *call) { return static_cast<Call *>(call)->execute(); };
    free = [](opc_bench_call *call) { delete static_cast<Call *>(call); };
  }
  int execute() {
    try {
      if (omp_set_num_threads)
        omp_set_num_threads(threads);
      todo.execute(on, arguments);
      on.wait();
      return 0;
    } catch (const error &e) {
      return int(e.status);
    }
  }
  primitive todo;
  stream on;
  std::unordered_map<int, memory> arguments;
  int threads;
};

/// A convolution between planes of the caller. If the library uses another layout, the planes are converted in each
/// call, or, with `isOwnOrder`, only in the first call, whose result is converted for the caller too.
struct Convolution : Call {
  Convolution(convolution_forward todo, const stream &on, std::unordered_map<int, memory> arguments, int threads,
              memory source, memory result, bool isOwnOrder)
      : Call(std::move(todo), on, std::move(arguments), threads), source(std::move(source)), result(std::move(result)),
        isOwnOrder(isOwnOrder) {
    run = [](opc_bench_call *call) { return static_cast<Convolution *>(call)->convolve(); };
    free = [](opc_bench_call *call) { delete static_cast<Convolution *>(call); };
  }
  int convolve() {
    const bool moves = !isOwnOrder || isFirst;
    isFirst = false;
    memory &from = this->arguments.at(DNNL_ARG_SRC), &to = this->arguments.at(DNNL_ARG_DST);
    try {
      if (omp_set_num_threads)
        omp_set_num_threads(threads);
      if (moves && from.get_desc() != source.get_desc())
        reorder(source, from).execute(on, source, from);
      if (int failed = execute())
        return failed;
      if (moves && to.get_desc() != result.get_desc())
        reorder(to, result).execute(on, to, result);
      on.wait();
      return 0;
    } catch (const error &e) {
      return int(e.status);
    }
  }
  memory source, result;
  bool isOwnOrder, isFirst = true;
};

struct Eltwise {
  algorithm kind;
  float alpha;
};

} // namespace

static const std::unordered_map<std::string, Eltwise> &eltwise() {
  static const std::unordered_map<std::string, Eltwise> all = {
      {"relu", {algorithm::eltwise_relu, 0}},   {"sqrt", {algorithm::eltwise_sqrt, 0}},
      {"exp", {algorithm::eltwise_exp, 0}},     {"sigmoid", {algorithm::eltwise_logistic, 0}},
      {"tanh", {algorithm::eltwise_tanh, 0}},   {"gelu", {algorithm::eltwise_gelu_erf, 0}},
      {"swish", {algorithm::eltwise_swish, 1}},
  };
  return all;
}

/// A tensor in row-major order.
static memory::desc dense(const memory::dims &dims, memory::data_type type) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * dims[i + 1];
  return {dims, type, strides};
}

/// "mat_mul" and its forms with a transposed operand: dims are m, n and k; of "batch_mat_mul" the number of products
/// comes before them. "packed_mat_mul" and its forms have the right operand in the library's own order, from before.
static opc_bench_call *product(const std::string &name, int threads, void *const *in, void *out,
                               const memory::dims &dims, memory::data_type left, memory::data_type right) {
  engine cpu(engine::kind::cpu, 0);
  const size_t first = dims.size() - 3;
  const memory::dim m = dims[first], n = dims[first + 1], k = dims[first + 2];
  auto matrix = [&](memory::dim rows, memory::dim columns, bool turned, memory::data_type type) {
    memory::dims shape = {rows, columns}, strides = turned ? memory::dims{1, rows} : memory::dims{columns, 1};
    if (first > 0) {
      shape.insert(shape.begin(), dims[0]);
      strides.insert(strides.begin(), rows * columns);
    }
    return memory::desc(shape, type, strides);
  };
  const bool isOfBytes = right == memory::data_type::s8;
  auto endsWith = [&](const char *text) { return name.size() > 3 && name.substr(name.size() - 3) == text; };
  memory::desc a = matrix(m, k, endsWith("_tn") || endsWith("_tt"), left);
  memory::desc b = matrix(k, n, endsWith("_nt") || endsWith("_tt"), right);
  memory::desc y = matrix(m, n, false, isOfBytes ? memory::data_type::s32 : left);
  stream on(cpu);
  memory weights(b, cpu, in[1]);
  const bool isPacked = name.rfind("packed_", 0) == 0;
  if (isPacked)
    b = memory::desc({k, n}, right, memory::format_tag::any);
  matmul::primitive_desc chosen({a, b, y}, cpu);
  if (isPacked) {
    memory packed(chosen.weights_desc(), cpu);
    reorder(weights, packed).execute(on, weights, packed);
    on.wait();
    weights = packed;
  }
  return new Call(
      matmul(chosen), on,
      {{DNNL_ARG_SRC, memory(a, cpu, in[0])}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, memory(y, cpu, out)}},
      threads);
}

/// "packed_conv2d": a convolution with a bias, of channels, size, filters, window, stride and groups, with padding of
/// half a window. Filters are converted to the library's layout before; so are the planes, except in
/// "packed_conv2d_planes", where they have the caller's layout before and after the call.
static opc_bench_call *convolution(bool isOwnOrder, int threads, void *const *in, void *out, const memory::dims &dims) {
  engine cpu(engine::kind::cpu, 0);
  stream on(cpu);
  const auto type = memory::data_type::f32;
  const memory::dim channels = dims[0], size = dims[1], filters = dims[2], window = dims[3], stride = dims[4],
                    groups = dims[5], pad = window / 2, made = (size + 2 * pad - window) / stride + 1;
  const memory::dims x = {1, channels, size, size}, y = {1, filters, made, made};
  memory::dims w = {filters, channels / groups, window, window};
  if (groups > 1)
    w = {groups, filters / groups, channels / groups, window, window};
  auto any = [](const memory::dims &shape) { return memory::desc(shape, type, memory::format_tag::any); };
  const memory::desc bias({filters}, type, memory::format_tag::a);
  const convolution_forward::desc desc(prop_kind::forward_inference, algorithm::convolution_direct, any(x), any(w),
                                       bias, any(y), {stride, stride}, {pad, pad}, {pad, pad});
  const convolution_forward::primitive_desc chosen(desc, cpu);
  memory weights(dense(w, type), cpu, in[1]), packed(chosen.weights_desc(), cpu);
  reorder(weights, packed).execute(on, weights, packed);
  on.wait();
  memory source(dense(x, type), cpu, in[0]), result(dense(y, type), cpu, out);
  memory from = chosen.src_desc() == source.get_desc() ? source : memory(chosen.src_desc(), cpu);
  memory to = chosen.dst_desc() == result.get_desc() ? result : memory(chosen.dst_desc(), cpu);
  return new Convolution(
      convolution_forward(chosen), on,
      {{DNNL_ARG_SRC, from}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_BIAS, memory(bias, cpu, in[2])}, {DNNL_ARG_DST, to}},
      threads, source, result, isOwnOrder);
}

/// "max_pool" and "average_pool" over planes of the caller: dims are channels, height, width, window, stride and
/// padding, which has no elements. "global_max_pool" and "global_average_pool" have the first three.
static opc_bench_call *pool(const std::string &name, int threads, void *const *in, void *out,
                            const memory::dims &dims) {
  engine cpu(engine::kind::cpu, 0);
  const auto type = memory::data_type::f32;
  const memory::dim channels = dims[0], height = dims[1], width = dims[2];
  memory::dims window = {height, width}, stride = {1, 1}, pad = {0, 0};
  if (dims.size() > 3)
    window = {dims[3], dims[3]}, stride = {dims[4], dims[4]}, pad = {dims[5], dims[5]};
  auto made = [&](int i) {
    return (dims[size_t(i) + 1] + 2 * pad[size_t(i)] - window[size_t(i)]) / stride[size_t(i)] + 1;
  };
  const memory::desc x = dense({1, channels, height, width}, type), y = dense({1, channels, made(0), made(1)}, type);
  const bool isMax = name.find("max") != std::string::npos;
  const pooling_forward::desc desc(prop_kind::forward_inference,
                                   isMax ? algorithm::pooling_max : algorithm::pooling_avg_exclude_padding, x, y,
                                   stride, window, pad, pad);
  return new Call(pooling_forward({desc, cpu}), stream(cpu),
                  {{DNNL_ARG_SRC, memory(x, cpu, in[0])}, {DNNL_ARG_DST, memory(y, cpu, out)}}, threads);
}

/// "permute_*": dims are the sizes of the operand, then for each dimension of the result that of the operand.
static opc_bench_call *permutation(int threads, void *const *in, void *out, const memory::dims &dims,
                                   memory::data_type type) {
  engine cpu(engine::kind::cpu, 0);
  const size_t rank = dims.size() / 2;
  const memory::dims sizes(dims.begin(), dims.begin() + ptrdiff_t(rank));
  memory::dims strides(rank);
  memory::dim stride = 1;
  for (size_t i = rank; i-- > 0;) {
    const auto of = size_t(dims[rank + i]);
    strides[of] = stride;
    stride *= sizes[of];
  }
  const memory x(dense(sizes, type), cpu, in[0]), y({sizes, type, strides}, cpu, out);
  return new Call(reorder(x, y), stream(cpu), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}}, threads);
}

/// The axes of reductions, by name.
static const std::unordered_map<std::string, int> kReducedAxes = {
    {"reduce_sum", 1}, {"reduce_first", 0}, {"reduce_middle", 1}};

static opc_bench_call *make(const std::string &name, int threads, void *const *in, void *out, const memory::dims &dims,
                            memory::data_type type) {
  engine cpu(engine::kind::cpu, 0);
  stream on(cpu);
  memory::desc whole = dense(dims, type);
  memory x(whole, cpu, in[0]);
  auto call = [&](primitive todo, memory y, std::unordered_map<int, memory> more = {}) {
    more.insert({{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, std::move(y)}});
    return new Call(std::move(todo), on, std::move(more), threads);
  };
  if (auto found = eltwise().find(name); found != eltwise().end()) {
    auto [kind, alpha] = found->second;
    eltwise_forward::desc desc(prop_kind::forward_inference, kind, whole, alpha, 0);
    return call(eltwise_forward({desc, cpu}), memory(whole, cpu, out));
  }
  if (name == "add" || name == "mul" || name == "add_relu") {
    primitive_attr attributes;
    post_ops after;
    if (name == "add_relu") {
      after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
      attributes.set_post_ops(after);
    }
    algorithm kind = name == "mul" ? algorithm::binary_mul : algorithm::binary_add;
    binary::desc desc(kind, whole, whole, whole);
    return call(binary({desc, attributes, cpu}), memory(whole, cpu, out),
                {{DNNL_ARG_SRC_1, memory(whole, cpu, in[1])}});
  }
  if (name == "softmax") {
    softmax_v2_forward::desc desc(prop_kind::forward_inference, algorithm::softmax_accurate, whole, whole, 1);
    return call(softmax_v2_forward({desc, cpu}), memory(whole, cpu, out));
  }
  if (name == "layer_norm") {
    layer_normalization_forward::desc desc(prop_kind::forward_inference, whole, 1e-5f,
                                           normalization_flags::use_scale | normalization_flags::use_shift);
    memory::desc row = dense({dims.back()}, memory::data_type::f32);
    return call(layer_normalization_forward({desc, cpu}), memory(whole, cpu, out),
                {{DNNL_ARG_SCALE, memory(row, cpu, in[1])}, {DNNL_ARG_SHIFT, memory(row, cpu, in[2])}});
  }
  if (name == "transpose") {
    memory y({dims, type, memory::dims{1, dims[0]}}, cpu, out);
    return call(reorder(x, y), y);
  }
  if (auto axis = kReducedAxes.find(name); axis != kReducedAxes.end()) {
    memory::dims kept = dims;
    kept[size_t(axis->second)] = 1;
    memory::desc sums = dense(kept, type);
    reduction::desc desc(algorithm::reduction_sum, whole, sums, 0, 0);
    return call(reduction({desc, cpu}), memory(sums, cpu, out));
  }
  return nullptr;
}

/// The operator `name` over a tensor of `rank` dimensions, a permutation, a pool, a convolution, or a matrix product of
/// m, n and k, of `type` f32, f16, or of products alone s8 (both operands) or u8 (the left one), into i32; vectors of
/// layer_norm are float32. NULL: this oneDNN has no such primitive.
OPC_BENCH_API opc_bench_call *opc_bench_onednn(const char *name, int threads, void *const *in, void *out, int rank,
                                               const int64_t *dims, const char *type) {
  using type_of = memory::data_type;
  static const std::unordered_map<std::string, std::pair<type_of, type_of>> types = {
      {"f32", {type_of::f32, type_of::f32}},
      {"f16", {type_of::f16, type_of::f16}},
      {"s8", {type_of::s8, type_of::s8}},
      {"u8", {type_of::u8, type_of::s8}}};
  try {
    if (omp_set_num_threads)
      omp_set_num_threads(threads);
    const auto [left, right] = types.at(type);
    const memory::dims all(dims, dims + rank);
    if (std::string(name).find("mat_mul") != std::string::npos)
      return product(name, threads, in, out, all, left, right);
    if (std::string(name).rfind("packed_conv2d", 0) == 0)
      return convolution(std::string(name) == "packed_conv2d", threads, in, out, all);
    if (std::string(name).find("_pool") != std::string::npos)
      return pool(name, threads, in, out, all);
    if (std::string(name).rfind("permute", 0) == 0)
      return permutation(threads, in, out, all, left);
    return make(name, threads, in, out, all, left);
  } catch (const error &) {
    return nullptr;
  }
}

/// Major, minor and patch of the library in use.
OPC_BENCH_API void opc_bench_onednn_version(int *numbers) {
  const version_t *found = dnnl::version();
  numbers[0] = found->major;
  numbers[1] = found->minor;
  numbers[2] = found->patch;
}
