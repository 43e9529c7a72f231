//===- SyncOps.td - flags and barriers ----------------------------------------===//

class AICore_FlagOp<string opMnemonic> : AICore_Op<opMnemonic, [DeclareOpInterfaceMethods<PipeOpInterface>]> {
  let arguments = (ins AICore_PipeProp:$from, AICore_PipeProp:$to, Index:$id);
  let assemblyFormat = "$from `->` $to ` ` `[` $id `]` attr-dict";
  let hasVerifier = 1;
}

def AICore_SetFlagOp : AICore_FlagOp<"set_flag"> {
  let summary = "pipe `from` tells pipe `to` that all it did before is complete";
  let description = [{
    Stands on pipe `from`. Every set needs exactly one wait with the same pipes and id; setting a flag that is set is an
    error, and so is a set that may overtake the wait before.

    * (flag_c1) the two pipes differ
    * (flag_c2) a constant id is not negative; how many ids a pair of pipes has is a fact of the target

    ```mlir
    aicore.set_flag mte2 -> v [%slot]
    ```
  }];
}

def AICore_WaitFlagOp : AICore_FlagOp<"wait_flag"> {
  let summary = "pipe `to` waits for a flag of pipe `from` and clears it";
  let description = [{
    Stands on pipe `to`: what follows on that pipe starts after the flag is set.

    * (flag_c1) the two pipes differ
    * (flag_c2) a constant id is not negative

    ```mlir
    aicore.wait_flag mte2 -> v [%slot]
    ```
  }];
}

def AICore_PipeBarrierOp : AICore_Op<"pipe_barrier", [DeclareOpInterfaceMethods<PipeOpInterface>]> {
  let summary = "what follows on a pipe starts after all before on it is complete";
  let description = [{
    A pipe issues in order. Whether an op is complete when the next starts is a fact of the target, pipe by pipe: where it
    is not, dependent ops of one pipe need a barrier between them; where it is, a barrier does nothing.

    ```mlir
    aicore.pipe_barrier v
    ```
  }];
  let arguments = (ins AICore_PipeProp:$on);
  let assemblyFormat = "$on attr-dict";
}
