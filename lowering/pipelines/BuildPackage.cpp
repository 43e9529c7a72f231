// The steps in order: name, compile, describe, collect, lay out.

#include "lowering/pipelines/BuildPackage.h"

#include "lowering/package/VendorPackage.h"
#include "ops/contract/Names.h"
#include "ops/contract/check/Devices.h"
#include "ops/proto/OperatorJson.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

using namespace opc;

/// The contract with the operator's name in the package.
static std::optional<Contract> named(const Contract &written, const BuildPackageOptions &options,
                                     Diagnostics &diagnostics) {
  Contract contract = written;
  if (!options.prefix.empty()) {
    contract.opType = options.prefix + written.opType;
    contract.name = snakeCase(options.prefix) + "_" + written.name;
    for (const std::string &wrong : {checkOpType(contract.opType), checkKernelName(contract.name)})
      if (!wrong.empty()) {
        diagnostics.error(Code::E0104, written.location,
                          "--prefix expects a word that makes '" + printable(contract.opType) +
                              "' a type of operators: it " + wrong,
                          "package_c5");
        return std::nullopt;
      }
  }
  const std::vector<std::string_view> &builtins = builtinOperators();
  if (!options.shadowBuiltin && std::find(builtins.begin(), builtins.end(), contract.opType) != builtins.end()) {
    diagnostics.error(Code::E0393, written.location,
                      "expects types that the vendor does not ship built in: found '" + contract.opType + "'",
                      "package_c4",
                      "--prefix=Name renames the operators of the package; --shadow-builtin lets "
                      "this one win over the built-in one");
    return std::nullopt;
  }
  return contract;
}

static std::optional<std::string> readWhole(const std::string &path, Diagnostics &diagnostics) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.good() || in.eof())
    return bytes;
  diagnostics.error(Code::E0600, {path}, "cannot read '" + printablePath(path) + "'");
  return std::nullopt;
}

/// Collects the files that `opc test` needs, as their author wrote them.
static bool collectTests(const Contract &written, std::vector<PackageFile> &tests, Diagnostics &diagnostics) {
  std::vector<std::string> names = {written.reference};
  for (const ContractBody &body : written.bodies)
    for (const std::string &file : body.files())
      names.push_back(file);
  if (!written.schedule.empty())
    names.push_back(written.schedule);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::optional<std::string> contract = readWhole(written.path, diagnostics);
  if (!contract)
    return false;
  tests.push_back({"op_contract.yaml", *contract});
  for (const std::string &name : names) {
    std::optional<std::string> bytes = readWhole(written.filePath(name), diagnostics);
    if (!bytes)
      return false;
    if (name != "op_contract.yaml")
      tests.push_back({name, *bytes});
  }
  return true;
}

static std::string bytesOf(const std::vector<PackageFile> &files, const std::string &path) {
  for (const PackageFile &file : files)
    if (file.path == path)
      return file.bytes;
  return {};
}

static BoardKitOperator boardKitOf(const VendorOperator &op, const HostSources &host) {
  const Contract &contract = *op.contract;
  BoardKitOperator kit;
  kit.contract = contract;
  kit.opFolder = "op_pkg/" + contract.name + "/" + contract.version + "/op_impl";
  std::string header = bytesOf(op.opFolder, "ascendc/" + contract.name + "_tiling.h");
  kit.files = {{"op.json", op.operatorJson},
               {"op_host/" + contract.name + ".cpp", host.opHost},
               {"op_host/" + contract.name + "_tiling.h", header},
               {"op_kernel/" + contract.name + ".cpp", bytesOf(op.opFolder, "ascendc/" + contract.name + ".cpp")},
               {"op_kernel/" + contract.name + "_tiling.h", header},
               {"aclnn_" + contract.name + ".h", host.aclnnHeader},
               {"docs/" + contract.name + ".md", host.docs}};
  for (const HostSupportFile &file : hostSupportFiles())
    if (std::string(file.name) == "opc_host_shapes.h")
      kit.files.push_back({std::string("op_host/") + file.name, file.text});
  return kit;
}

/// The contract with these of its type rows, in order, which its first body serves.
static Contract withTypeRows(Contract contract, const std::vector<unsigned> &rows) {
  auto keep = [&](auto &ofRows) {
    auto all = std::move(ofRows);
    ofRows.clear();
    for (unsigned row : rows)
      ofRows.push_back(all[row]);
  };
  auto keepOf = [&](Contract &one) {
    for (auto *tensors : {&one.inputs, &one.outputs})
      for (ContractTensor &tensor : *tensors) {
        keep(tensor.types);
        keep(tensor.formats);
      }
  };
  keepOf(contract);
  if (contract.written) {
    auto whole = std::make_shared<Contract>(*contract.written);
    keepOf(*whole);
    contract.written = std::move(whole);
  }
  auto position = [&](unsigned row) { return std::find(rows.begin(), rows.end(), row) - rows.begin(); };
  std::vector<ContractBody> bodies = std::move(contract.bodies);
  contract.bodies.clear();
  for (ContractBody &body : bodies) {
    std::vector<unsigned> served = std::move(body.typeRows);
    body.typeRows.clear();
    for (unsigned row : served)
      if (std::find(rows.begin(), rows.end(), row) != rows.end())
        body.typeRows.push_back(unsigned(position(row)));
    for (ContractBodyText &text : body.texts) {
      std::vector<unsigned> own;
      for (unsigned row : text.typeRows)
        if (std::find(rows.begin(), rows.end(), row) != rows.end())
          own.push_back(unsigned(position(row)));
      text.typeRows = std::move(own);
    }
    if (served.empty() || !body.typeRows.empty())
      contract.bodies.push_back(std::move(body));
  }
  std::vector<ContractSchedule> schedules = std::move(contract.schedules);
  contract.schedules.clear();
  for (ContractSchedule &entry : schedules) {
    if (entry.typeRow && std::find(rows.begin(), rows.end(), *entry.typeRow) == rows.end())
      continue;
    if (entry.typeRow)
      entry.typeRow = unsigned(position(*entry.typeRow));
    contract.schedules.push_back(entry);
  }
  auto isOfOutput = [&](const ContractTolerance &tolerance) {
    return std::any_of(contract.outputs.begin(), contract.outputs.end(), [&](const ContractTensor &output) {
      return std::find(output.types.begin(), output.types.end(), tolerance.type) != output.types.end();
    });
  };
  for (auto *tolerances : {&contract.precision.tolerances, &contract.precision.chipTolerances})
    tolerances->erase(std::remove_if(tolerances->begin(), tolerances->end(), std::not_fn(isOfOutput)),
                      tolerances->end());
  return contract;
}

/// The contracts with a kernel for the AI Core, and their type rows that have one; the others are omitted with a
/// warning each. Reports if no contract is left.
static std::vector<Contract> withoutCpuAlone(const std::vector<Contract> &contracts, Diagnostics &diagnostics) {
  auto isForCpuAlone = [](const Contract &contract) { return aicoreRowsOf(contract, contract.bodies.front()).empty(); };
  const bool isEmpty = std::all_of(contracts.begin(), contracts.end(), isForCpuAlone) && !contracts.empty();
  std::vector<Contract> taken;
  for (const Contract &contract : contracts) {
    const Location &place = contract.bodies.front().location;
    if (!isForCpuAlone(contract)) {
      const ContractBody &body = contract.bodies.front();
      const std::vector<unsigned> rows = aicoreRowsOf(contract, body);
      for (unsigned row = 0; row < contract.typeRows(); ++row)
        if (std::string why = whyCpuAlone(contract, body, row); !why.empty())
          diagnostics.warning(Code::E0311, place,
                              "a package for boards has type rows with a kernel for the AI Core, and '" +
                                  contract.typeRowName(row) + "' of '" + contract.opType + "' has " + why +
                                  ": the row is left out");
      taken.push_back(rows.size() == contract.typeRows() ? contract : withTypeRows(contract, rows));
      continue;
    }
    const std::string what = "a package for boards has operators with a kernel for the AI Core, and '" +
                             contract.opType + "' has " + whyCpuAlone(contract, contract.bodies.front(), 0);
    if (isEmpty)
      diagnostics.error(Code::E0311, place, what, "", "'opc compile' makes its op folder, which runs on the CPU");
    else
      diagnostics.warning(Code::E0311, place, what + ": it is left out");
  }
  return taken;
}

BuildPackageResult opc::buildPackage(const std::vector<Contract> &given, const BuildPackageOptions &options,
                                     Diagnostics &diagnostics) {
  const std::vector<Contract> contracts = withoutCpuAlone(given, diagnostics);
  std::vector<Contract> names;
  for (const Contract &written : contracts)
    if (std::optional<Contract> contract = named(written, options, diagnostics))
      names.push_back(std::move(*contract));
  if (diagnostics.hasErrors())
    return {};

  // A step without a result has reported why. If it has not, that is a bug in opc, and no package is made.
  auto failed = [&](const char *step) {
    if (!diagnostics.hasErrors())
      diagnostics.error(Code::E0900, {}, std::string("the package's step '") + step + "' failed without a reason");
    return BuildPackageResult();
  };
  BuildPackageResult result;
  VendorPackageRequest request;
  request.vendor = options.vendor;
  request.version = options.version;
  request.compiler = "opc " OPC_VERSION;
  request.target = options.target;
  request.layout = options.customLayout ? VendorLayout::Custom : VendorLayout::Vendors;
  std::vector<HostOperator> hosts;
  for (size_t i = 0; i < contracts.size(); ++i) {
    const Contract &written = contracts[i], &contract = names[i];
    CompileOptions compile;
    compile.target = options.target;
    compile.cpuLevels = options.cpuLevels;
    compile.cpuKernels = options.cpuKernels;
    compile.renamed = options.prefix.empty() ? nullptr : &contract;
    CompileResult compiled = compileOperator(written, compile, diagnostics);
    if (diagnostics.hasErrors() || compiled.files.empty())
      return failed("compile");

    HostOperator host;
    host.contract = &contract;
    host.writtenAs = options.prefix.empty() ? "" : written.opType;
    host.vendor = options.vendor;
    host.kernels = std::move(compiled.kernels);
    HostSources sources;
    VendorOperator op;
    if (!emitHost(host, sources, diagnostics) || !collectTests(written, op.tests, diagnostics))
      return failed("host");

    op.contract = &contract;
    for (CompiledFile &file : compiled.files)
      op.opFolder.push_back({std::move(file.path), std::move(file.bytes)});
    op.tilingBytes = tilingDataBytes(host);
    const std::vector<std::string_view> &builtins = builtinOperators();
    op.shadowsBuiltin = std::find(builtins.begin(), builtins.end(), contract.opType) != builtins.end();
    op.opHost = sources.opHost;
    op.inferSource = sources.inferSource;
    op.tilingSource = sources.tilingSource;
    op.aclnnHeader = sources.aclnnHeader;
    op.kernelEntry = sources.kernelEntry;
    op.onnxPlugin = sources.onnxPlugin;
    op.onnxSchema = sources.onnxSchema;
    op.mindspore = sources.mindspore;
    op.docs = sources.docs;
    op.operatorJson = exportOperatorJson({&contract});
    result.boardKit.push_back(boardKitOf(op, sources));
    request.operators.push_back(std::move(op));
    hosts.push_back(std::move(host));
  }
  request.protoHeader = opProtoHeader(hosts);
  for (const HostSupportFile &file : hostSupportFiles())
    request.support.push_back({file.name, file.text});
  std::optional<std::vector<PackageFile>> files = packageVendor(request, diagnostics);
  if (!files || files->empty())
    return failed("lay out");
  for (PackageFile &file : *files)
    result.files.push_back({std::move(file.path), std::move(file.bytes)});
  return result;
}
