// A signal to end waits until what was begun is whole or gone.

#include "tools/opc/process/DeferredSignals.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace opc::tool;

/// How a child ends that does `work` and then exits with 7.
static int statusOf(const std::function<void()> &work) {
  pid_t pid = fork();
  if (pid == 0) {
    for (int number : {SIGINT, SIGTERM, SIGHUP})
      std::signal(number, SIG_DFL);
    work();
    _exit(7);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

TEST(DeferredSignals, TheSignalComesAtTheEnd) {
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    int status = statusOf([&] {
      DeferredSignals outer;
      {
        DeferredSignals inner;
        raise(number);
        if (!DeferredSignals::arrived())
          _exit(1);
      }
      if (!DeferredSignals::arrived())
        _exit(2);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number << ": " << status;
  }
}

TEST(DeferredSignals, NothingHappensWithoutOne) {
  int status = statusOf([] {
    {
      DeferredSignals signals;
    }
    if (DeferredSignals::arrived())
      _exit(1);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

// What breaks without it: a compile that hangs cannot be ended from the terminal.
TEST(DeferredSignals, TheSecondSignalDoesNotWait) {
  int status = statusOf([] {
    DeferredSignals signals;
    raise(SIGINT);
    raise(SIGINT);
    _exit(1);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
}

// What breaks without it: `nohup opc` ends with the terminal.
TEST(DeferredSignals, AnIgnoredSignalStaysIgnored) {
  int status = statusOf([] {
    std::signal(SIGHUP, SIG_IGN);
    DeferredSignals signals;
    raise(SIGHUP);
    if (DeferredSignals::arrived())
      _exit(1);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}
