"""long_tiling.py N: a kernel whose tiling function computes N values one from the other."""

import sys

values = int(sys.argv[1])
print('#gm = #aicore.space<gm>')
print('func.func @t(%v0: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})')
print('    attributes {aicore.tiling} {')
for i in range(values):
    print(f'  %v{i + 1} = arith.addi %v{i}, %v{max(0, i - 1)} : index')
print(f'  return %v{values} : index\n}}')
print('func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})')
print('    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }')
