//===- SyncOps.td - flags and barriers ----------------------------------------===//

class AICore_FlagOp<string opMnemonic> : AICore_Op<opMnemonic, [DeclareOpInterfaceMethods<PipeOpInterface>]> {
  let arguments = (ins AICore_PipeProp:$from, AICore_PipeProp:$to, Index:$id);
  let assemblyFormat = "$from `->` $to ` ` `[` $id `]` attr-dict";
  let hasVerifier = 1;
}

def AICore_SetFlagOp : AICore_FlagOp<"set_flag"> {
  let summary = "signals to pipe `to` that all earlier instructions of pipe `from` are complete";
  let description = [{
    Pipe `from` performs the op. Every set needs exactly one wait with the same pipes and id. It is an error to set a
    flag that is set, or to set a flag before the wait for its previous set is certain to be over.

    * (flag_c1) the two pipes differ
    * (flag_c2) a constant id is not negative; the target defines the number of ids of a pair of pipes

    ```mlir
    aicore.set_flag mte2 -> v [%slot]
    ```
  }];
}

def AICore_WaitFlagOp : AICore_FlagOp<"wait_flag"> {
  let summary = "pipe `to` waits for a flag of pipe `from` and clears it";
  let description = [{
    Pipe `to` performs the op. Later instructions of this pipe start after the flag is set.

    * (flag_c1) the two pipes differ
    * (flag_c2) a constant id is not negative

    ```mlir
    aicore.wait_flag mte2 -> v [%slot]
    ```
  }];
}

def AICore_PipeBarrierOp : AICore_Op<"pipe_barrier", [DeclareOpInterfaceMethods<PipeOpInterface>]> {
  let summary = "later instructions of a pipe start after all its earlier instructions are complete";
  let description = [{
    A pipe issues in order. The target defines for each pipe whether an op is complete before the next op starts. If
    not, dependent ops of the pipe need a barrier between them. If so, a barrier has no effect.

    ```mlir
    aicore.pipe_barrier v
    ```
  }];
  let arguments = (ins AICore_PipeProp:$on);
  let assemblyFormat = "$on attr-dict";
}
