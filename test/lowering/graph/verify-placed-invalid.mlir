// Only these contracts matter, and each part of the file reads all that there are.
// RUN: rm -rf %t.few && mkdir %t.few && cp -r %contract/add %contract/sin %t.few
// RUN: sed "s@LIBRARY@%t.few@" %s > %t && opc-opt %t --graph-verify-placed="contracts=%t.few" --split-input-file --verify-diagnostics

// A result without memory.
graph.model @nowhere(%x: tensor<4xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[memory_c1] expects a place in the arena or in an output for each result}}
  %y = graph.instance "A"(%x) ["y"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// A constant without memory.
graph.model @constant() attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %w = graph.constant "w" dense<1.0> : tensor<4xf32>
  // expected-error@+1 {{[memory_c1] expects a place for each value that is read}}
  %y = graph.instance "A"(%w) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// The caller looks for its output in its own memory.
// expected-error@+1 {{[memory_c1] expects output 0 in the memory of the caller for it}}
graph.model @elsewhere(%x: tensor<4xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %y = graph.instance "A"(%x) ["y"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// Beyond the arena there is somebody else's memory.
graph.model @beyond(%x: tensor<32xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[memory_c2] expects a place within the arena, at a multiple of 4, found bytes 0 to 128}}
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %y = graph.instance "B"(%a) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  graph.output %y : tensor<32xf32>
}

// -----

// A value that is still read is written over.
graph.model @over(%x: tensor<16xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  %b = graph.instance "B"(%x) ["b"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 0 to 64 written by another step}}
  %y = graph.instance "C"(%a, %b) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  graph.output %y : tensor<16xf32>
}

// -----

// Only kernels of elementwise contracts write over what they read.
graph.model @self(%x: tensor<16xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 64>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 64 to 128 written by another step}}
  %b = graph.instance "B"(%a) ["b"] {places = [#graph.place<arena 64>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  %y = graph.instance "C"(%b) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  graph.output %y : tensor<16xf32>
}

// -----

// Between two elements.
graph.model @askew(%x: tensor<4xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[memory_c2] expects a place within the arena, at a multiple of 4, found bytes 2 to 18}}
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 2>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %y = graph.instance "B"(%a) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// Behind an output there is somebody else's memory.
graph.model @behind(%x: tensor<4xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[memory_c2] expects a place within the output, at a multiple of 4, found bytes 4 to 20}}
  %y = graph.instance "B"(%x) ["y"] {places = [#graph.place<output 0 from 4>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// A part of a join is not where the join says.
graph.model @apart(%x: tensor<4xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%x) ["b"] {places = [#graph.place<arena 12>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  // expected-error@+1 {{[memory_c4] expects its operands one after another in its memory, found bytes 8 to 16 elsewhere}}
  %j = graph.join %a, %b "j" {place = #graph.place<arena 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %y = graph.instance "C"(%j) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// A part of a join is written over before the join is read; the other part is whole.
graph.model @lost(%x: tensor<4xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%x) ["b"] {places = [#graph.place<arena 8>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %j = graph.join %a, %b "j" {place = #graph.place<arena 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %c = graph.instance "C"(%x) ["c"] {places = [#graph.place<arena 12>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<1xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 8 to 16 written by another step}}
  %y = graph.instance "D"(%j, %c) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// The bytes of a part are written over, those around it are not.
graph.model @part(%x: tensor<4xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %p = graph.part %a from 1 "p" : tensor<4xf32> to tensor<2xf32>
  %c = graph.instance "C"(%x) ["c"] {places = [#graph.place<arena 8>], row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<1xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 4 to 12 written by another step}}
  %y = graph.instance "D"(%p, %c) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  graph.output %y : tensor<4xf32>
}

// -----

// One list leaves the result elsewhere: nothing writes what is read after the branch.
graph.model @list(%c: tensor<i1>, %x: tensor<16xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  // expected-error@+1 {{[memory_c5] expects each list to write the results in their places}}
  %y = graph.branch %c ["y"] {places = [#graph.place<output 0>]} : (tensor<i1>) -> tensor<16xf32> then {
    %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
    graph.output %a : tensor<16xf32>
  } else {
    %b = graph.instance "B"(%x) ["b"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
    graph.output %b : tensor<16xf32>
  }
  graph.output %y : tensor<16xf32>
}

// -----

// A list may have written over it.
graph.model @maybe(%c: tensor<i1>, %x: tensor<16xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["z"], phase = #graph.phase<placed>} {
  %w = graph.instance "W"(%x) ["w"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  %y = graph.branch %c ["y"] {places = [#graph.place<arena 64>]} : (tensor<i1>) -> tensor<16xf32> then {
    %t = graph.instance "T"(%x) ["t"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
    %a = graph.instance "A"(%t) ["a"] {places = [#graph.place<arena 64>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
    graph.output %a : tensor<16xf32>
  } else {
    %b = graph.instance "B"(%x) ["b"] {places = [#graph.place<arena 64>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
    graph.output %b : tensor<16xf32>
  }
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 0 to 64 written by another step}}
  %z = graph.instance "Z"(%w, %y) ["z"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  graph.output %z : tensor<16xf32>
}

// -----

// An elementwise step overwrites one operand, and the other one is a part of it.
graph.model @overAPart(%x: tensor<16xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  %p = graph.part %a from 4 "p" : tensor<16xf32> to tensor<1xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 16 to 20 written by another step}}
  %b = graph.instance "Add"(%a, %p) ["b"] {places = [#graph.place<arena 0>], row = 1 : i64, source = "LIBRARY/add/op_contract.yaml"} : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %y = graph.instance "C"(%b) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  graph.output %y : tensor<16xf32>
}

// -----

// What an elementwise step has overwritten is gone.
graph.model @gone(%x: tensor<16xf32>) attributes {arena = 64 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  %b = graph.instance "Sin"(%a) ["b"] {places = [#graph.place<arena 0>], row = 1 : i64, source = "LIBRARY/sin/op_contract.yaml"} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 0 to 64 written by another step}}
  %y = graph.instance "C"(%b, %a) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  graph.output %y : tensor<16xf32>
}

// -----

// An elementwise step overwrites its operand from the middle on.
graph.model @askew(%x: tensor<16xf32>) attributes {arena = 128 : i64, opsets = {}, outputs = ["y"], phase = #graph.phase<placed>} {
  %a = graph.instance "A"(%x) ["a"] {places = [#graph.place<arena 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[memory_c3] expects its operands in their places, found bytes 0 to 64 written by another step}}
  %b = graph.instance "Sin"(%a) ["b"] {places = [#graph.place<arena 32>], row = 1 : i64, source = "LIBRARY/sin/op_contract.yaml"} : (tensor<16xf32>) -> tensor<16xf32>
  %y = graph.instance "C"(%b) ["y"] {places = [#graph.place<output 0>], row = 0 : i64, source = ""} : (tensor<16xf32>) -> tensor<16xf32>
  graph.output %y : tensor<16xf32>
}
