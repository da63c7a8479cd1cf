// CUDA text, read as a source on disk is.
#pragma once
#include "nvcc.h"
#include "os/scratch.h"
#include "source/read.h"
#include "source/settle_shapes.h"
#include "test_paths.h"
#include "llvm/Support/Path.h"

namespace warplint {

/// The model of `text`, called source.cu; with the headers of an installed
/// toolkit, or with those that stand in for one.
inline SourceModel readText(llvm::StringRef text, bool withToolkit = false,
                            std::vector<std::string> flags = {}) {
  auto scratch = Scratch::create();
  if (!scratch) {
    llvm::consumeError(scratch.takeError());
    return {};
  }
  writeFile(scratch->path("source.cu"), text);
  Command command{scratch->path("source.cu"), scratch->folder().str(), {}};
  command.arguments = {"nvcc"};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.push_back(command.source);
  std::optional<Toolkit> toolkit;
  if (withToolkit)
    toolkit = ToolkitSearch("").of(command);
  auto model =
      readSource(command, translate(command.arguments, toolkit), toolkit,
                 WARPLINT_RESOURCE_DIR, Store(WARPLINT_TEST_CACHE));
  if (!model) {
    llvm::errs() << llvm::toString(model.takeError()) << '\n';
    return {};
  }
  settleShapes(model->kernels, model->outline.launches, std::nullopt);
  return std::move(*model);
}

inline bool hasToolkit() {
  return ToolkitSearch("")
      .of({"/source.cu", "/", {"nvcc", "source.cu"}})
      .has_value();
}

} // namespace warplint
