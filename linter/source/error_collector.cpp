#include "source/error_collector.h"
#include "base/regular_file.h"
#include "source/nvcc_conditions.h"
#include "source/shared_constructors.h"
#include "clang/AST/DeclBase.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace warplint {
namespace {

/// Returns true for an error that nvcc does not report and after which Clang
/// goes on with what was meant: `alignas(64)` of a type that needs more,
/// `__device__ alignas(64)` in a namespace, of which it warns, or an operand
/// that inline assembly lacks, which only ptxas misses, where a template has an
/// instance.
bool isAcceptedByNvcc(unsigned error) {
  return error == clang::diag::err_alignas_underaligned ||
         error == clang::diag::err_attribute_not_type_attr ||
         error == clang::diag::err_attributes_not_allowed ||
         error == clang::diag::err_asm_invalid_operand_number;
}

/// Returns true for `T::run<4>(a)` where Clang wants `T::template run<4>(a)`.
bool isMissingTemplate(unsigned error) {
  return error == clang::diag::err_template_kw_missing ||
         error == clang::diag::err_missing_dependent_template_keyword;
}

/// Returns the name that a diagnostic on a missing `template` is about.
std::string nameIn(const clang::Diagnostic &info) {
  switch (info.getNumArgs() ? info.getArgKind(0)
                            : clang::DiagnosticsEngine::ak_sint) {
  case clang::DiagnosticsEngine::ak_std_string:
    return info.getArgStdStr(0);
  case clang::DiagnosticsEngine::ak_identifierinfo:
    return info.getArgIdentifier(0)->getName().str();
  case clang::DiagnosticsEngine::ak_declarationname:
    return clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(0))
        .getAsString();
  default:
    return "";
  }
}

/// Returns true for an error of the preprocessor or the parser, of a name that
/// nobody declares, or of one that a namespace lacks: `thrust::identity`.
bool isOfNames(const clang::Diagnostic &info) {
  switch (const unsigned error = info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
  case clang::diag::err_no_template:
  case clang::diag::err_no_template_suggest:
    return true;
  case clang::diag::err_no_member:
  case clang::diag::err_no_member_suggest:
  case clang::diag::err_no_member_template:
  case clang::diag::err_no_member_template_suggest:
  case clang::diag::err_typename_nested_not_found:
  case clang::diag::err_unknown_nested_typename_suggest:
    return info.getArgKind(1) == clang::DiagnosticsEngine::ak_declcontext &&
           reinterpret_cast<const clang::DeclContext *>(info.getRawArg(1))
               ->isFileContext();
  default:
    return error >= clang::diag::DIAG_START_LEX &&
           error < clang::diag::DIAG_START_AST;
  }
}

bool isInUsersFile(const clang::Diagnostic &info) {
  return info.hasSourceManager() && info.getLocation().isValid() &&
         !info.getSourceManager().isInSystemHeader(
             info.getSourceManager().getExpansionLoc(info.getLocation()));
}

void addKind(ErrorKinds &kinds, const clang::Diagnostic &info,
             llvm::StringRef text) {
  const unsigned error = info.getID();
  const bool isMissingFile = error == clang::diag::err_pp_file_not_found;
  kinds.missingFiles += isMissingFile;
  kinds.missingAnyway += isMissingFile && !nvccDecides(info.getSourceManager(),
                                                       info.getLocation());
  // No file that is missing is the reason of these.
  const bool isRelocatable =
      error == clang::diag::err_cuda_extern_shared ||
      error == clang::diag::err_cuda_device_kernel_launch_not_supported ||
      error == clang::diag::err_cuda_device_kernel_launch_require_rdc;
  kinds.relocatable |= isRelocatable;
  if (kinds.missingFiles && !isMissingFile && !isRelocatable) {
    ++kinds.consequences;
    return;
  }
  kinds.usersNames += !isMissingFile && isOfNames(info) && isInUsersFile(info);
  // `extern int omp_get_max_threads() noexcept;` behind one of the project's.
  kinds.beyondNames |=
      !isOfNames(info) && error != clang::diag::err_mismatched_exception_spec;
  kinds.gnuKeywords |= text.contains("'typeof'");
}

/// Returns true for the note that host code calls what only the device has.
bool isHostCallOfDevice(const clang::Diagnostic &info) {
  constexpr unsigned callee = 3, caller = 4; // arguments of the note
  auto isOf = [&](unsigned argument, clang::CUDAFunctionTarget target) {
    return info.getRawArg(argument) == uint64_t(target);
  };
  return info.getID() == clang::diag::note_ovl_candidate_bad_target &&
         isOf(callee, clang::CUDAFunctionTarget::Device) &&
         isOf(caller, clang::CUDAFunctionTarget::Host);
}

/// Returns true for an error that its notes explain: no function of that name,
/// or no constructor, can be called there.
bool isCallWithoutMatch(unsigned error) {
  return error == clang::diag::err_ovl_no_viable_function_in_call ||
         error == clang::diag::err_ovl_no_viable_function_in_init ||
         error == clang::diag::err_ovl_no_viable_conversion_in_cast;
}

/// `#embed` takes what cannot be opened for missing. Returns the words that
/// Clang has for an included file; empty if it is missing.
std::string whyNotOpened(const clang::Diagnostic &info,
                         const ParseError &error) {
  if (info.getID() != clang::diag::err_pp_file_not_found)
    return "";
  const std::string name = nameIn(info);
  llvm::SmallString<256> file(name);
  if (!llvm::sys::path::is_absolute(name)) {
    file = llvm::sys::path::parent_path(error.file);
    llvm::sys::path::append(file, name);
  }
  return mayBeRead(file)
             ? ""
             : "cannot open file '" + name + "': " + noRegularFile().message();
}

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  ErrorCollector(std::vector<ParseError> &errors, ParsedSource *parsed,
                 ErrorKinds *kinds)
      : errors_(errors), parsed_(parsed), kinds_(kinds) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (lastCall_ && level == clang::DiagnosticsEngine::Note &&
        isHostCallOfDevice(info))
      return dropLastCall();
    if (level < clang::DiagnosticsEngine::Error ||
        isAcceptedByNvcc(info.getID()))
      return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    lastCall_.reset();
    if (isCallWithoutMatch(info.getID()))
      lastCall_ = kinds_ ? *kinds_ : ErrorKinds();
    if (kinds_)
      addKind(*kinds_, info, text);
    if (parsed_ && info.hasSourceManager())
      noteCure(info);
    ParseError error{"", 0, 0, text.str().str()};
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      clang::PresumedLoc place =
          info.getSourceManager().getPresumedLoc(info.getLocation());
      if (place.isValid()) {
        error.file = place.getFilename();
        error.line = place.getLine();
        error.column = place.getColumn();
      }
    }
    if (std::string why = whyNotOpened(info, error); !why.empty())
      error.text = std::move(why);
    // A fatal error, a missing file or an #error says what is missing; an error
    // before it may be in a header's template that no compiler would have
    // instantiated.
    const bool decides = level == clang::DiagnosticsEngine::Fatal ||
                         info.getID() == clang::diag::err_pp_file_not_found ||
                         info.getID() == clang::diag::err_pp_hash_error;
    errors_.insert(decides ? errors_.begin() + deciding_++ : errors_.end(),
                   std::move(error));
  }

private:
  /// nvcc's host compiler takes the other side of `#if __CUDA_ARCH__`, where
  /// the name is a macro or a host function; and nvcc lets a member of a class
  /// template call a constructor of the device.
  void dropLastCall() {
    errors_.pop_back();
    if (kinds_)
      *kinds_ = *lastCall_;
    lastCall_.reset();
  }

  void noteCure(const clang::Diagnostic &info) {
    const clang::SourceManager &sources = info.getSourceManager();
    const clang::SourceLocation at = info.getLocation();
    MissingKeywords &missing = parsed_->missingKeywords;
    switch (const unsigned error = info.getID()) {
    // In `T::run<n>(a, b)` and `t.run<n>(a, b)`, Clang may read a comparison
    // with `run`.
    case clang::diag::err_ovl_unresolvable:
    case clang::diag::err_bound_member_function:
      return addMissingTemplate(missing, sources, at);
    case clang::diag::err_typename_missing:
    case clang::diag::err_typename_missing_template:
      return addMissingTypename(missing, sources, at);
    case clang::diag::err_ovl_ambiguous_oper_binary:
      if (const auto ranges = info.getRanges(); ranges.size() == 2)
        addOperatorCall(missing, sources, at, ranges[0].getAsRange(),
                        ranges[1].getAsRange());
      return;
    case clang::diag::err_shared_var_init:
      parsed_->constructedInShared.insert(
          classOfVariable(parsed_->instance().getSema(), at));
      return;
    default:
      if (isMissingTemplate(error))
        addMissingTemplate(missing, sources, at, nameIn(info));
    }
  }

  std::vector<ParseError> &errors_;
  ParsedSource *const parsed_;
  ErrorKinds *const kinds_;
  /// The kinds before the last error, if that is a call that no function
  /// matches.
  std::optional<ErrorKinds> lastCall_;
  unsigned deciding_ =
      0; ///< number of those that say what is missing, which come first
};

} // namespace

std::unique_ptr<clang::DiagnosticConsumer>
collectErrors(std::vector<ParseError> &errors, ParsedSource *parsed,
              ErrorKinds *kinds) {
  return std::make_unique<ErrorCollector>(errors, parsed, kinds);
}

} // namespace warplint
