// The memory expressions of small sources, held against the model.
#pragma once
#include "cache/record.h"
#include "nvcc.h"
#include "os/scratch.h"
#include "read_text.h"
#include "source/coverage/observer.h"
#include "source/coverage/read_coverage.h"
#include "source/read_source.h"
#include "test_paths.h"
#include <gmock/gmock.h>

namespace warplint {

inline std::string textOf(llvm::ArrayRef<Coverage::Example> examples) {
  std::string text;
  for (const Coverage::Example &example : examples)
    text += example.place.file + ":" + std::to_string(example.place.line) +
            ":" + std::to_string(example.place.column) + ": '" + example.text +
            "'\n";
  return text;
}

/// The coverage of `text`, over all its kernels.
struct Covered {
  uint64_t expressions = 0, withAccess = 0;
  std::map<std::string, uint64_t> without;
  std::string unexplained, withoutExpression;
};

inline Covered covered(const SourceModel &model) {
  Covered all;
  auto coverages = fromRecord<std::vector<Coverage>>(model.observed);
  if (!coverages) {
    ADD_FAILURE() << "the observer's record is broken";
    return all;
  }
  EXPECT_EQ(coverages->size(), model.kernels.size());
  for (const Coverage &coverage : *coverages) {
    all.expressions += coverage.expressions;
    all.withAccess += coverage.withAccess;
    for (const auto &[why, reason] : coverage.without)
      all.without[why] += reason.count;
    all.unexplained += textOf(coverage.unexplained);
    all.withoutExpression += textOf(coverage.withoutExpression);
  }
  return all;
}

inline SourceModel readCovering(const std::string &file, bool withToolkit) {
  Command command{file, "/", {"nvcc", file}};
  std::optional<Toolkit> toolkit;
  if (withToolkit)
    toolkit = ToolkitSearch("").of(command);
  auto observer = coverageObserver();
  auto model = readSource(command, translate(command.arguments, toolkit),
                          toolkit, WARPLINT_RESOURCE_DIR,
                          Store(WARPLINT_TEST_CACHE), {}, observer.get());
  if (!model) {
    ADD_FAILURE() << llvm::toString(model.takeError());
    return {};
  }
  return std::move(*model);
}

inline Covered coveredIn(llvm::StringRef text, bool withToolkit = false) {
  auto scratch = Scratch::create();
  if (!scratch) {
    ADD_FAILURE() << llvm::toString(scratch.takeError());
    return {};
  }
  writeFile(scratch->path("source.cu"), text);
  SourceModel model = readCovering(scratch->path("source.cu"), withToolkit);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  return covered(model);
}

/// All expressions have their access, as many as are counted by hand.
inline void expectAll(unsigned expressions, llvm::StringRef text) {
  for (bool withToolkit : {false, true}) {
    if (withToolkit && !hasToolkit())
      continue;
    SCOPED_TRACE(withToolkit ? "with the toolkit's headers"
                             : "with headers of our own");
    Covered all = coveredIn(text, withToolkit);
    EXPECT_EQ(all.expressions, expressions);
    EXPECT_EQ(all.withAccess, expressions);
    EXPECT_EQ(all.unexplained, "");
    EXPECT_EQ(all.withoutExpression, "");
  }
}

} // namespace warplint
