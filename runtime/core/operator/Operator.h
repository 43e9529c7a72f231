// An operator of an op folder on one device: its manifest, and its kernels, which are loaded on first use.

#ifndef OPC_RUNTIME_CORE_OPERATOR_OPERATOR_H
#define OPC_RUNTIME_CORE_OPERATOR_OPERATOR_H

#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"

#include <map>
#include <memory>
#include <mutex>

namespace opc {

/// Kernels stay loaded while the operator or a launch prepared from it lives. Thread-safe.
class Operator : public std::enable_shared_from_this<Operator> {
public:
  static std::shared_ptr<Operator> create(OpFolder folder, std::shared_ptr<Device> device);
  Operator(const Operator &) = delete;
  Operator &operator=(const Operator &) = delete;

  const Manifest &manifest() const { return folder.manifest; }
  const std::string &path() const { return folder.path; }
  Device &device() const { return *owner; }
  /// A number that is unique among all operators of the process, also destroyed ones.
  uint64_t id() const { return number; }
  /// A fresh number of the same kind, for objects that represent several operators.
  static uint64_t nextId();
  /// The kernel; the first call loads it. Returns null after reporting the device's errors; the next call tries again.
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
