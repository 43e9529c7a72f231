// An operator of an op folder on one device: the manifest, and kernels loaded when first needed.

#ifndef OPC_RUNTIME_CORE_OPERATOR_OPERATOR_H
#define OPC_RUNTIME_CORE_OPERATOR_OPERATOR_H

#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"

#include <map>
#include <memory>
#include <mutex>

namespace opc {

/// Kernels stay loaded while the operator or a launch prepared from it lives. Safe from any number of threads.
class Operator : public std::enable_shared_from_this<Operator> {
public:
  static std::shared_ptr<Operator> create(OpFolder folder, std::shared_ptr<Device> device);
  Operator(const Operator &) = delete;
  Operator &operator=(const Operator &) = delete;

  const Manifest &manifest() const { return folder.manifest; }
  const std::string &path() const { return folder.path; }
  Device &device() const { return *owner; }
  /// A number that no other operator of the process ever has.
  uint64_t id() const { return number; }
  /// A number of that kind, for what stands for several operators.
  static uint64_t nextId();
  /// The kernel, loaded by the first call; a failed load is tried again by the next. Nullptr with the device's errors.
  Kernel *load(const ManifestKernel &kernel, Diagnostics &diagnostics);

private:
  Operator(OpFolder folder, std::shared_ptr<Device> device);

  OpFolder folder;
  std::shared_ptr<Device> owner;
  uint64_t number;
  std::mutex mutex;
  std::map<const ManifestKernel *, std::unique_ptr<Kernel>> kernels;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_OPERATOR_OPERATOR_H
