"""long_tiling.py N [all]: a kernel whose tiling function computes N values one from the other; with `all` it then adds them
up, so that all are needed at one time."""

import sys

values = int(sys.argv[1])
print('#gm = #aicore.space<gm>')
print('func.func @t(%v0: index {aicore.size = #aicore.size<num_elements of "a">}) -> (index {aicore.name = "block_num"})')
print('    attributes {aicore.tiling} {')
for i in range(values):
    print(f'  %v{i + 1} = arith.addi %v{i}, %v{max(0, i - 1)} : index')
result = f'%v{values}'
if len(sys.argv) > 2:
    for i in range(values):
        print(f'  %s{i} = arith.addi {result}, %v{i} : index')
        result = f'%s{i}'
print(f'  return {result} : index\n}}')
print('func.func @k(%a: memref<?xf32, #gm> {aicore.name = "a"})')
print('    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} { return }')
