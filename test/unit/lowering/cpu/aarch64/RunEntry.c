/* Runs one entry of a kernel library: what a test hands to an emulator.
 *
 *   run_entry LIBRARY ENTRY BLOCKS TILING BYTES:FILE...
 *
 * TILING are the fields of the tiling data, ',' between them; a FILE holds a tensor with elements
 * of so many bytes. The last tensor is written back. Exits with what the entry returns, or 99. */

#include "runtime/program/opc_kernel_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 16, kFailed = 99 };

static int fail(const char *what, const char *which) {
  fprintf(stderr, "run_entry: %s: %s\n", what, which);
  return kFailed;
}

static const opc_kernel_entry *entry_of(const opc_kernel_library *library, const char *name) {
  const opc_kernel_level *level = &library->levels[library->level_count - 1];
  for (uint64_t i = 0; i < level->entry_count; ++i)
    if (strcmp(level->entries[i].name, name) == 0)
      return &level->entries[i];
  return NULL;
}

/* Elements of the file `path`, `bytes` each, in memory that is aligned to an element and no more.
 */
static void *read_tensor(const char *path, long bytes, int64_t *elements) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    return NULL;
  long size = ftell(file);
  char *data = malloc((size_t)(size + bytes));
  rewind(file);
  if (!data || fread(data + bytes, 1, (size_t)size, file) != (size_t)size)
    return NULL;
  fclose(file);
  *elements = size / bytes;
  return data + bytes;
}

int main(int count, char **words) {
  if (count < 6 || count - 5 > kMost)
    return fail("expects LIBRARY ENTRY BLOCKS TILING BYTES:FILE", "wrong number of arguments");
  void *handle = dlopen(words[1], RTLD_NOW);
  if (!handle)
    return fail("cannot load the library", dlerror());
  opc_kernel_library_query_function query =
      (opc_kernel_library_query_function)dlsym(handle, OPC_KERNEL_LIBRARY_QUERY);
  const opc_kernel_library *library = query ? query(OPC_KERNEL_LIBRARY_VERSION) : NULL;
  const opc_kernel_entry *entry = library ? entry_of(library, words[2]) : NULL;
  if (!entry)
    return fail("the library has no entry", words[2]);

  int64_t tiling[kMost] = {0}, sizes[kMost] = {0}, fields = 0;
  for (char *field = strtok(words[4], ","); field && fields < kMost; field = strtok(NULL, ","))
    tiling[fields++] = atoll(field);
  void *tensors[kMost] = {0};
  long bytes = 0;
  for (int i = 5; i < count; ++i) {
    bytes = atol(words[i]);
    char *path = strchr(words[i], ':');
    if (!path || bytes < 1 || !(tensors[i - 5] = read_tensor(path + 1, bytes, &sizes[i - 5])))
      return fail("cannot read", words[i]);
  }
  opc_kernel_arguments arguments = {tensors, sizes, tiling, INT64_MAX, INT64_MAX};
  for (int64_t block = 0; block < atoll(words[3]); ++block) {
    int32_t status = entry->function(&arguments, block, block + 1);
    if (status)
      return status;
  }
  FILE *file = fopen(strchr(words[count - 1], ':') + 1, "wb");
  size_t elements = (size_t)sizes[count - 6];
  if (!file || fwrite(tensors[count - 6], (size_t)bytes, elements, file) != elements ||
      fclose(file) != 0)
    return fail("cannot write", words[count - 1]);
  return 0;
}
