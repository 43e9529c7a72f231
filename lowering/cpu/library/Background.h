// Background work: LLVM's code generation takes most of the time of a compilation and does not need MLIR.

#ifndef OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H
#define OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H

#include <functional>
#include <future>

namespace opc::cpu {

/// Runs `work` on a thread of its own, or in wait() if the system has no thread available.
class Background {
public:
  explicit Background(std::function<void()> work);
  ~Background() { wait(); }
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;

  /// Returns when the work is done. Memory that it wrote may then be read.
  void wait();

private:
  std::future<void> done;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H
