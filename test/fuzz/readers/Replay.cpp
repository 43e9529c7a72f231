// Every seed, and every input that broke a reader once, through its reader again: an ordinary test, without libFuzzer.
//
//   fuzz_replay <folder>...     files are <folder>/<reader>/<name>

#include "test/fuzz/readers/Readers.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

int main(int argc, char **argv) {
  size_t count = 0;
  for (const opc::fuzz::NamedReader &reader : opc::fuzz::readers()) {
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
      std::error_code error;
      for (fs::directory_iterator entry(fs::path(argv[i]) / reader.name, error), end; !error && entry != end;
           entry.increment(error))
        files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path &file : files) {
      std::ifstream in(file, std::ios::binary);
      std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      // Said before, so that the last line names what ended the process.
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);
      reader.read(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return count == 0;
}
