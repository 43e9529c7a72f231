"""many_values.py N: a kernel that computes N values one from the other."""

import sys

values = int(sys.argv[1])
print('#gm = #aicore.space<gm>')
print('func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})')
print('    attributes {aicore.tiling} { return %n : index }')
print('func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})')
print('    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {')
print('  %v0 = aicore.tiling_data "block_num" : index\n  %v1 = aicore.block_idx : index')
for i in range(1, values):
    print(f'  %v{i + 1} = arith.addi %v{i}, %v{i - 1} : index')
print('  return\n}')
