// RUN: opc-opt %s --split-input-file --graph-place --graph-verify-placed | FileCheck %s

// Two values that live together lie apart, a third takes the place of one that is over; the last is the caller's memory.
// CHECK-LABEL: graph.model @chain
// CHECK-SAME: arena = 192 : i64
// CHECK-SAME: phase = #graph.phase<placed>
// CHECK: graph.instance "A"({{.*}}) {{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "B"({{.*}}) {{.*}}places = [#graph.place<arena 128>]
// CHECK: graph.instance "C"({{.*}}) {{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "D"({{.*}}) {{.*}}places = [#graph.place<output 0>]
graph.model @chain(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["d"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<9xf32>
  %c = graph.instance "C"(%b) ["c"] {row = 0 : i64, source = ""} : (tensor<9xf32>) -> tensor<32xf32>
  %d = graph.instance "D"(%c) ["d"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  graph.output %d : tensor<32xf32>
}

// -----

// A view keeps its operand alive: what is read through it at the end is not written over.
// CHECK-LABEL: graph.model @view
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<arena [[A:[0-9]+]]>]
// CHECK-NOT: graph.place<arena [[A]]>
// CHECK: graph.instance "C"
graph.model @view(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["c"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %v = graph.view %a : tensor<32xf32> to tensor<4x8xf32>
  %b = graph.instance "B"(%x) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<4x8xf32>
  %c = graph.instance "C"(%b, %v) ["c"] {row = 0 : i64, source = ""} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<32xf32>
  graph.output %c : tensor<32xf32>
}

// -----

// Outputs that are an input, a constant or one value again are copies; a view of a result is none.
// CHECK-LABEL: graph.model @ends
// CHECK: graph.constant "w" {place = #graph.place<weights 0>}
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<output 0>]
// CHECK: graph.copy {{.*}}{place = #graph.place<output 1>} : tensor<32xf32>
// CHECK: graph.copy %arg0 {place = #graph.place<output 2>} : tensor<32xf32>
// CHECK: graph.copy %w {place = #graph.place<output 3>} : tensor<2xf32>
graph.model @ends(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["a", "b", "x", "w"], phase = #graph.phase<folded>} {
  %w = graph.constant "w" dense<[1.0, 2.0]> : tensor<2xf32>
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %v = graph.view %a : tensor<32xf32> to tensor<4x8xf32>
  graph.output %v, %a, %x, %w : tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<2xf32>
}

// -----

// Equal weights lie once.
// CHECK-LABEL: graph.model @weights
// CHECK: graph.constant "a" {place = #graph.place<weights 0>}
// CHECK: graph.constant "b" {place = #graph.place<weights 64>}
// CHECK: graph.constant "c" {place = #graph.place<weights 0>}
graph.model @weights() attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  %a = graph.constant "a" dense<[1.0, 2.0]> : tensor<2xf32>
  %b = graph.constant "b" dense<[1.0, 3.0]> : tensor<2xf32>
  %c = graph.constant "c" dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.instance "A"(%a, %b, %c) ["y"] {row = 0 : i64, source = ""} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.output %y : tensor<2xf32>
}

// -----

// What is joined is written into the memory of the join; an input, a constant and what another join has are copied. A
// join of a join lies in it.
// CHECK-LABEL: graph.model @join
// CHECK-SAME: arena = 128 : i64
// CHECK-SAME: arena_bound = 128 : i64
// CHECK: %[[A:.*]] = graph.instance "A"{{.*}}places = [#graph.place<arena 0>]
// CHECK: %[[B:.*]] = graph.instance "B"{{.*}}places = [#graph.place<arena 8>]
// CHECK: %[[X:.*]] = graph.copy %arg0 {place = #graph.place<arena 20>} : tensor<4xf32>
// CHECK: %[[J:.*]] = graph.join %[[A]], %[[B]], %[[X]] "j" {place = #graph.place<arena 0>}
// CHECK: %[[C:.*]] = graph.copy %[[A]] {place = #graph.place<arena 36>} : tensor<2xf32>
// CHECK: graph.join %[[J]], %[[C]] "k" {place = #graph.place<arena 0>}
// CHECK: graph.instance "C"{{.*}}places = [#graph.place<arena 64>]
// CHECK: graph.instance "D"{{.*}}places = [#graph.place<output 0>]
graph.model @join(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["d"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<3xf32>
  %j = graph.join %a, %b, %x "j" : (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<9xf32>
  %k = graph.join %j, %a "k" : (tensor<9xf32>, tensor<2xf32>) -> tensor<11xf32>
  %c = graph.instance "C"(%k) ["c"] {row = 0 : i64, source = ""} : (tensor<11xf32>) -> tensor<4xf32>
  %d = graph.instance "D"(%k, %c) ["d"] {row = 0 : i64, source = ""} : (tensor<11xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.output %d : tensor<4xf32>
}

// -----

// A join that is an output is written there, part by part; one of its parts that is an output too is a copy here.
// CHECK-LABEL: graph.model @joined_output
// CHECK: %[[A:.*]] = graph.instance "A"{{.*}}places = [#graph.place<output 0>]
// CHECK: %[[B:.*]] = graph.instance "B"{{.*}}places = [#graph.place<output 1>]
// CHECK: %[[C:.*]] = graph.copy %[[B]] {place = #graph.place<output 0 from 8>} : tensor<3xf32>
// CHECK: graph.join %[[A]], %[[C]] "j" {place = #graph.place<output 0>}
graph.model @joined_output(%x: tensor<4xf32>) attributes {opsets = {}, outputs = ["j", "b"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<4xf32>) -> tensor<2xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<3xf32>
  %j = graph.join %a, %b "j" : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  graph.output %j, %b : tensor<5xf32>, tensor<3xf32>
}

// -----

// A part keeps the whole alive, and has no memory of its own.
// CHECK-LABEL: graph.model @part
// CHECK: graph.instance "A"{{.*}}places = [#graph.place<arena 0>]
// CHECK: graph.instance "B"{{.*}}places = [#graph.place<arena 128>]
// CHECK: graph.instance "C"{{.*}}places = [#graph.place<output 0>]
graph.model @part(%x: tensor<32xf32>) attributes {opsets = {}, outputs = ["c"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<4x8xf32>
  %p = graph.part %a from 8 "p" : tensor<4x8xf32> to tensor<2x8xf32>
  %b = graph.instance "B"(%x) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %c = graph.instance "C"(%b, %p) ["c"] {row = 0 : i64, source = ""} : (tensor<32xf32>, tensor<2x8xf32>) -> tensor<32xf32>
  graph.output %c : tensor<32xf32>
}

// -----

// What only one list reads moves into it, through others and through a choice in it; what both read, or the model does, stays.
// The lists write the result of the branch, here an output; a value from outside is copied there.
// CHECK-LABEL: graph.model @branch
// CHECK: %[[BOTH:.*]] = graph.instance "Both"
// CHECK: %[[Y:.*]] = graph.branch %{{.*}} ["y"] {places = [#graph.place<output 0>]} {{.*}} then {
// CHECK-NEXT: %[[D:.*]] = graph.instance "D"({{.*}}) ["d"] {places = [#graph.place<arena [[AT:[0-9]+]]>]
// CHECK-NEXT: %[[I:.*]] = graph.branch %{{.*}} ["i"] {places = [#graph.place<arena {{[0-9]+}}>]} {{.*}} then {
// CHECK-NEXT: %[[A:.*]] = graph.instance "A"
// CHECK-NEXT: graph.output %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[C:.*]] = graph.copy %[[D]]
// CHECK-NEXT: graph.output %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[T:.*]] = graph.instance "Then"(%[[I]], %[[BOTH]]) ["t"] {places = [#graph.place<output 0>]
// CHECK-NEXT: graph.output %[[T]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[C:.*]] = graph.copy %[[BOTH]] {place = #graph.place<output 0>}
// CHECK-NEXT: graph.output %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: graph.output %[[Y]]
graph.model @branch(%c: tensor<i1>, %e: tensor<i1>, %x: tensor<32xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  %d = graph.instance "D"(%x) ["d"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %both = graph.instance "Both"(%x) ["both"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %a = graph.instance "A"(%d) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %i = graph.choose %e then(%a) else(%d) ["i"] : (tensor<i1>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %t = graph.instance "Then"(%i, %both) ["t"] {row = 0 : i64, source = ""} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %y = graph.choose %c then(%t) else(%both) ["y"] : (tensor<i1>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  graph.output %y : tensor<32xf32>
}

// -----

// What the second list reads lives through the first, and the result of a branch from the branch on.
// CHECK-LABEL: graph.model @lives
// CHECK-SAME: arena = 512 : i64
graph.model @lives(%c: tensor<i1>, %x: tensor<32xf32>) attributes {opsets = {}, outputs = ["z"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %b = graph.instance "B"(%a) ["b"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %t = graph.instance "T"(%b) ["t"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %u = graph.instance "U"(%t) ["u"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %e = graph.instance "E"(%a, %b) ["e"] {row = 0 : i64, source = ""} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %y = graph.choose %c then(%u) else(%e) ["y"] : (tensor<i1>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %z = graph.instance "Z"(%y) ["z"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  graph.output %z : tensor<32xf32>
}

// -----

// A join in a list copies what was computed before the branch: only its own steps may write the result.
// CHECK-LABEL: graph.model @join
// CHECK: graph.branch
// CHECK-NEXT: %[[T:.*]] = graph.instance "T"({{.*}}) ["t"] {places = [#graph.place<output 0 from 8>]
// CHECK-NEXT: %[[C:.*]] = graph.copy %{{.*}} {place = #graph.place<output 0>}
// CHECK-NEXT: %[[J:.*]] = graph.join %[[C]], %[[T]]
// CHECK-NEXT: graph.output %[[J]]
graph.model @join(%c: tensor<i1>, %x: tensor<2xf32>) attributes {opsets = {}, outputs = ["y", "z"], phase = #graph.phase<folded>} {
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<2xf32>
  %t = graph.instance "T"(%a) ["t"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<2xf32>
  %j = graph.join %a, %t "j" : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %e = graph.instance "E"(%a) ["e"] {row = 0 : i64, source = ""} : (tensor<2xf32>) -> tensor<4xf32>
  %y = graph.choose %c then(%j) else(%e) ["y"] : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = graph.instance "Z"(%y, %a) ["z"] {row = 0 : i64, source = ""} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  graph.output %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// The count of an output lives to the end.
// CHECK-LABEL: graph.model @count
// CHECK-SAME: arena = 192 : i64
// CHECK: graph.host "NonMaxSuppression"({{.*}}) ["k", ""] {places = [#graph.place<output 0>, #graph.place<arena [[N:[0-9]+]]>]}
// CHECK-NOT: graph.place<arena [[N]]>
graph.model @count(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %x: tensor<32xf32>) attributes {opsets = {}, outputs = ["k", "z"], phase = #graph.phase<folded>} {
  %k, %n = graph.host "NonMaxSuppression"(%b, %s) ["k", ""] : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> (tensor<12x3xi64>, tensor<i64>)
  %a = graph.instance "A"(%x) ["a"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %z = graph.instance "Z"(%a) ["z"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  graph.output %k, %z : tensor<12x3xi64>, tensor<32xf32>
}

// -----

// The memory of a result that nobody reads is its own to the end of the lists, which write it.
// CHECK-LABEL: graph.model @unread
// CHECK: graph.branch {{.*}}places = [#graph.place<output 0>, #graph.place<arena [[R:[0-9]+]]>]
// CHECK-NEXT: graph.instance "R"{{.*}}#graph.place<arena [[R]]>
// CHECK-NOT: graph.instance "T"{{.*}}#graph.place<arena [[R]]>
// CHECK: graph.instance "U"
graph.model @unread(%c: tensor<i1>, %x: tensor<32xf32>) attributes {opsets = {}, outputs = ["y"], phase = #graph.phase<folded>} {
  %r = graph.instance "R"(%x) ["r"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %t = graph.instance "T"(%x) ["t"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %u = graph.instance "U"(%t) ["u"] {row = 0 : i64, source = ""} : (tensor<32xf32>) -> tensor<32xf32>
  %y, %z = graph.choose %c then(%u, %r) else(%x, %x) ["y", "z"] : (tensor<i1>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
  graph.output %y : tensor<32xf32>
}
