#include "source/coverage/observer.h"
#include "cache/record.h"
#include "source/coverage/read_coverage.h"
#include <optional>

namespace warplint {
namespace {

class CoverageObserver : public ReadObserver {
public:
  void emitted(ParsedSource &source, const Emitted &emitted,
               const Names &names) override {
    watch_.begin(*emitted.module, emitted);
    reader_.emplace(source, watch_, names);
  }
  void beforePass(llvm::Function &kernel) override { watch_.look(kernel); }
  void normalised(llvm::Function &kernel) override { watch_.end(kernel); }
  void read(const Kernel &kernel,
            const clang::FunctionDecl &function) override {
    coverage_.push_back(reader_->read(kernel, function));
  }
  std::string record() override { return toRecord(coverage_); }

private:
  InstructionWatch watch_;
  std::optional<CoverageReader> reader_;
  std::vector<Coverage> coverage_;
};

} // namespace

std::unique_ptr<ReadObserver> coverageObserver() {
  return std::make_unique<CoverageObserver>();
}

} // namespace warplint
