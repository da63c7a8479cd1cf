// The commands, one file each: options to what is printed and the exit code.
#pragma once
#include "run/options.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// `check`. With --shard it writes one part of a report; the exit code is then
/// 0, since `merge` reports the findings.
int runCheck(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal);

/// `merge`: one report from the parts that `check --shard` wrote.
int runMerge(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal);

/// `collect`: one report from those that `wrap` wrote.
int runCollect(const Options &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err, bool terminal);

int runAccesses(const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err);

/// `operations`: what each line executes, by pipe.
int runOperations(const Options &options, llvm::raw_ostream &out,
                  llvm::raw_ostream &err);

/// `cost`: what binds each kernel, and its predicted time.
int runCost(const Options &options, llvm::raw_ostream &out,
            llvm::raw_ostream &err);

/// `measured`: findings beside a profile of Nsight Compute. 2: the profile
/// cannot be read, or is of other code.
int runMeasured(const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err);

/// `registers`: who holds the registers of each kernel. 3: a source was not
/// compiled, or there is no nvdisasm.
int runRegisters(const Options &options, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);

/// `resources`. 0: every gate and the ratchet hold. 1: one does not.
/// 2: warplint itself failed. 3: a report is missing or cut off, or the input
/// does not contain what a gate needs.
int runResources(const Options &options, llvm::raw_ostream &out,
                 llvm::raw_ostream &err, bool terminal);

/// `diff`. 0: nothing is worse. 1: a kernel is worse, or a new one spills. 2: a
/// report cannot be read. 3: one of them is incomplete.
int runDiff(const Options &options, llvm::raw_ostream &out,
            llvm::raw_ostream &err);

int runCache(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err);

/// `config`: the settings of one source, with their origins. Fails if there is
/// no such file, or if a configuration cannot be read.
int runConfig(const Options &options, llvm::raw_ostream &out,
              llvm::raw_ostream &err);

/// `checks`: one line per check: id, level, summary.
int runChecks(const Options &options, llvm::raw_ostream &out);

/// `explain`: the page of one check. Fails if there is no check of that id.
int runExplain(const Options &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err);

/// `wrap`: runs the command that stands after `--`. Returns its exit code, or 1
/// if it succeeded and a finding is denied. Does not return if the command
/// compiles nothing that can be linted.
int runWrap(const Options &options);

} // namespace warplint
