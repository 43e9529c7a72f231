// Counts what does not hold.
#include <cstdio>

static int failures = 0;
#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION)) {                                                                                                \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #CONDITION);                                              \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (false)

static int done() {
  std::printf("%d failures\n", failures);
  return failures != 0;
}
