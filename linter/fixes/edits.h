// The fix that a finding asks for to edits of the text. What the tokens do not
// show without doubt gets no edit.
#pragma once
#include "findings/fix.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

class SourceTokens;

/// The edits of `fix.at.file`, whose text is `text`, which ends in a null. None
/// if the text does not have what the fix is about in the form that is known,
/// such as in the body of a macro.
std::vector<Edit> editsOf(const Fix &fix, llvm::StringRef text);

/// The text with the edits applied, which do not overlap.
std::string applied(llvm::StringRef text, llvm::ArrayRef<Edit> edits);

/// Where a place of the text is after the edits. A place inside of a range that
/// is replaced is at the same token of what replaces it, if it has that.
Place moved(const Place &place, llvm::StringRef text,
            llvm::ArrayRef<Edit> edits);

/// Replaces tokens [first, last).
Edit replace(const SourceTokens &tokens, unsigned first, unsigned last,
             std::string text);
/// Inserts before a token.
Edit insert(const SourceTokens &tokens, unsigned before, std::string text);

// Each makes the edits of one Change.
std::vector<Edit> declareConst(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> padRows(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> leaveConstantMemory(const Fix &fix,
                                      const SourceTokens &tokens);
std::vector<Edit> limitBlocks(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> unrollFully(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> storeOnce(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> floatLiteral(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> restrictPointers(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> replacePower(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> selectElement(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> changeLayout(const Fix &fix, const SourceTokens &tokens);
std::vector<Edit> loadOnce(const Fix &fix, const SourceTokens &tokens);

} // namespace warplint
