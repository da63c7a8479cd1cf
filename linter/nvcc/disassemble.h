// Runs nvdisasm on machine code.
#pragma once
#include "input/toolkit.h"
#include "os/scratch.h"
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <string>
#include <vector>

namespace warplint {

/// Why machine code is not read where there is no nvdisasm.
inline constexpr llvm::StringLiteral noNvdisasm =
    "there is no nvdisasm beside nvcc or on PATH (it is a part of CUDA, and "
    "the "
    "Python package nvidia-cuda-nvdisasm)";

/// The nvdisasm beside the toolkit's nvcc, or else the one on PATH, since some
/// toolkits lack it and any release reads the code of earlier ones. Empty if
/// there is none.
std::string findNvdisasm(const Toolkit &toolkit);

/// The output of nvdisasm for the code of a cubin, for machine/disassembly.h.
/// `options`: besides `-c`, such as "-gi". Takes half a second for any code.
/// Fails, with a sentence, if it does not run or takes longer than `limit`.
llvm::Expected<std::string> disassemble(const std::string &nvdisasm,
                                        const std::string &cubin,
                                        llvm::ArrayRef<std::string> options,
                                        Scratch &scratch,
                                        std::chrono::milliseconds limit);

} // namespace warplint
