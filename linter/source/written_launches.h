// Collects the launches that a source writes, evaluates them, and finds the
// arguments that lead to memory of their own in all launches of a kernel.
#pragma once
#include "source/emit.h"
#include "source/launch_reader.h"
#include "source/own_pointers.h"
#include <map>
#include <set>

namespace warplint {

class WrittenLaunches {
public:
  WrittenLaunches(clang::CompilerInstance &instance, const Emitted &emitted);

  void noteFunction(const clang::FunctionDecl &function) {
    hasMain_ |= function.isMain();
  }
  void noteReference(const clang::FunctionDecl &function) {
    ++references_[function.getCanonicalDecl()];
  }
  void noteLaunch(const clang::CUDAKernelCallExpr *launch,
                  const clang::FunctionDecl *inside);
  /// Notes a call that may launch a kernel: `cudaLaunchKernel`.
  void noteCall(const clang::CallExpr *call, const clang::FunctionDecl *inside);

  /// The source defines `main`.
  bool hasMain() const { return hasMain_; }

  struct Evaluated {
    const clang::Expr *expression;
    Launch launch;
  };
  /// Only valid after all code was noted, here and by `reader`: only then are
  /// all changes of variables known.
  std::vector<Evaluated> read(LaunchReader &reader);
  /// The kernels all of whose launches that were read are never executed.
  const std::set<std::string> &neverLaunched() const { return neverLaunched_; }

private:
  /// The bytes that arguments lead to, by position; 0: unknown.
  using OwnedBytes = std::map<unsigned, uint64_t>;

  void dropTemplates();
  /// Drops the launches of kernels that are not read.
  void dropLeftOut();
  std::vector<ReadLaunch> ofAnyKernel(const WrittenLaunch &written) const;
  llvm::DenseMap<const clang::FunctionDecl *, OwnedBytes>
  ownMemory(LaunchReader &reader);
  uint64_t allocatedBytes(const clang::FunctionDecl &function,
                          const clang::Expr &argument, LaunchReader &reader);
  bool areAllLaunchesSeen(const clang::FunctionDecl &kernel) const;
  bool isInOneOfSeveral(const clang::Expr *stream) const;
  std::string irName(const clang::FunctionDecl *kernel) const;

  clang::CompilerInstance &instance_;
  clang::ASTContext &context_;
  const Emitted &emitted_;
  std::vector<WrittenLaunch> launches_;
  std::set<std::string> neverLaunched_;
  OwnPointers ownPointers_;
  /// By kernel, where it is named but in its launches.
  llvm::DenseMap<const clang::FunctionDecl *, int> references_;
  bool hasMain_ = false;
  llvm::DenseMap<const clang::FunctionDecl *, std::string> irNames_;
};

} // namespace warplint
