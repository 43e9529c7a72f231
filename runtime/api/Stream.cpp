#include "runtime/api/Stream.h"

#include "runtime/api/Runtime.h"

#include <system_error>

namespace opc::api {

std::unique_ptr<Stream> Stream::create() {
  std::unique_ptr<Stream> stream(new Stream());
  try {
    stream->thread = std::thread([raw = stream.get()] { raw->work(); });
  } catch (const std::system_error &) {
    return nullptr;
  }
  return stream;
}

Stream::~Stream() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Stream::put(std::shared_ptr<const PreparedLaunch> launch, std::vector<void *> data) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back({std::move(launch), std::move(data)});
  }
  changed.notify_all();
}

Diagnostics Stream::synchronize() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return queue.empty() && !busy; });
  return std::exchange(errors, {});
}

void Stream::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return !queue.empty() || ending; });
    if (queue.empty())
      return;
    Item item = std::move(queue.front());
    queue.pop_front();
    // Skip launches after a failed one: they may depend on outputs that it did not write.
    if (!errors.hasErrors()) {
      busy = true;
      lock.unlock();
      Diagnostics found;
      try {
        item.launch->run(item.data.data(), found);
      } catch (const std::exception &error) {
        found = {};
        found.error(Code::E0900, {}, std::string("an exception reached a stream: ") + error.what());
      }
      item = {};
      lock.lock();
      busy = false;
      if (found.hasErrors())
        errors = std::move(found);
    }
    changed.notify_all();
  }
}

} // namespace opc::api

using namespace opc;
using namespace opc::api;

extern "C" opc_status opc_stream_create(opc_runtime *runtime, opc_stream **stream) {
  return guarded([&] {
    if (!runtime || !stream)
      return failNull(runtime ? "stream" : "runtime");
    auto made = std::make_unique<opc_stream>();
    made->stream = Stream::create();
    if (!made->stream)
      return fail(Code::E0533, "the system gives no thread for a stream");
    *stream = made.release();
    return OPC_OK;
  });
}

extern "C" opc_status opc_stream_synchronize(opc_stream *stream) {
  return guarded([&] {
    if (!stream)
      return failNull("stream");
    Diagnostics errors = stream->stream->synchronize();
    return errors.hasErrors() ? fail(errors) : OPC_OK;
  });
}

extern "C" void opc_stream_destroy(opc_stream *stream) {
  delete stream;
}
