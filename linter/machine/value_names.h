// The values that a kernel's PTX computes to what the source calls them.
//
// The value's place gives the statement of the source; what that assigns is the
// name.
#pragma once
#include "machine/register_report.h"
#include "machine/statement_files.h"
#include "ptx/value_origins.h"

namespace warplint {

/// "expensive" of `_Z9expensivef`; empty without a name.
std::string functionName(const std::string &mangled);

/// "threadIdx.x" of "%tid.x" and "SR_TID.X".
std::string specialName(llvm::StringRef name);

/// Lower for what says more.
inline unsigned rankOf(RegisterKind kind) { return unsigned(kind); }

class ValueNames {
public:
  ValueNames(const PtxOrigins &ptx, const std::string &kernel,
             StatementFiles &files);

  /// The frames of a line of the PTX that are in the user's code, innermost
  /// first.
  std::vector<SourceFrame> userFrames(unsigned line) const;

  /// The value of a 32-bit word that the statement on a line of the PTX writes;
  /// none if it writes no register.
  std::optional<RegisterOwner> writtenAt(unsigned line, unsigned word);

  /// For a line that writes no register: part of a store, a branch or a call.
  RegisterOwner ofStatement(unsigned line, bool isAddress);

  /// The value that a store into a local array assigns, on its line of the PTX:
  /// ptxas may keep an array in registers whose index the PTX computes.
  std::optional<RegisterOwner> elementAt(unsigned line);

  /// The parameter of the kernel at an offset in the parameters' memory.
  std::optional<RegisterOwner> parameterAt(unsigned offset);

  /// Says where an owner's statement is.
  static void setPlace(RegisterOwner &owner,
                       const std::vector<SourceFrame> &frames, size_t at);

private:
  /// The statement that names a value, and where it is.
  struct Named {
    const SourceStatement *statement = nullptr;
    const SourceStatements *source = nullptr;
    size_t frame = 0;
  };

  /// The frames in the user's code; in a library's kernel, all.
  std::vector<SourceFrame>
  withoutLibraries(const std::vector<SourceFrame> &frames) const;
  std::string parameterName(const std::string &function, unsigned index);
  std::string objectName(const PtxObject &object, const std::string &function);
  Named statementOf(const std::vector<SourceFrame> &frames);
  RegisterOwner named(const ValueOrigin &origin, const std::string &function);
  void fromStatement(RegisterOwner &owner, const ValueOrigin &origin,
                     const Named &named, bool isFinal);

  const PtxOrigins &ptx_;
  StatementFiles &files_;
  std::string kernel_; ///< mangled
  PtxOrigins::Kernel entry_;
  std::map<std::string, std::vector<std::string>> names_; ///< of parameters
};

} // namespace warplint
