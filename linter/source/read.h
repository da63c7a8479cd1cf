// One command to the kernels of its source: the first half of the line.
#pragma once
#include "input/toolkit.h"
#include "input/translate.h"
#include "model/model.h"
#include "source/parse_error.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct SourceModel {
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<ParseError> errors;   ///< Clang's, if the source has any
  std::vector<std::string> notRead; ///< kernels that have no IR, by name
};

/// Fails if there is no AST at all.
llvm::Expected<SourceModel> readSource(const Command &command,
                                       const Translation &translation,
                                       const std::optional<Toolkit> &toolkit,
                                       const std::string &resourceDir);

/// The block shapes of each kernel: from its launches, else `given`, else its
/// launch bounds (the most that a launch may have), else 256x1x1.
void settleShapes(std::vector<Kernel> &kernels, llvm::ArrayRef<Launch> launches,
                  const std::optional<Shape> &given);

} // namespace warplint
