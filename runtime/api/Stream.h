// A stream runs launches in order and asynchronously: a queue and a thread.

#ifndef OPC_RUNTIME_API_STREAM_H
#define OPC_RUNTIME_API_STREAM_H

#include "runtime/api/Error.h"
#include "runtime/core/launch/PreparedLaunch.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace opc::api {

class Stream {
public:
  /// Returns null when the thread cannot be created.
  static std::unique_ptr<Stream> create();
  /// Waits until all enqueued launches have run.
  ~Stream();

  void put(std::shared_ptr<const PreparedLaunch> launch, std::vector<void *> data);
  /// Waits until the queue is empty; returns the errors since the last call.
  Diagnostics synchronize();

private:
  Stream() = default;
  void work();

  struct Item {
    std::shared_ptr<const PreparedLaunch> launch;
    std::vector<void *> data;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> queue;
  Diagnostics errors;
  bool busy = false, ending = false;
  std::thread thread;
};

} // namespace opc::api

#endif // OPC_RUNTIME_API_STREAM_H
