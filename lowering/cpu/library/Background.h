// Work beside other work: LLVM's code generation takes most of a compile and needs no MLIR.

#ifndef OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H
#define OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H

#include <functional>
#include <future>

namespace opc::cpu {

/// Runs `work` on a thread of its own; where the system has none to give, in wait().
class Background {
public:
  explicit Background(std::function<void()> work);
  ~Background() { wait(); }
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;

  /// Returns when the work is done. Memory it wrote may be read then.
  void wait();

private:
  std::future<void> done;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LIBRARY_BACKGROUND_H
