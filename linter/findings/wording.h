// Phrases that several checks use.
#pragma once
#include "base/listed.h"       // IWYU pragma: export
#include "base/plural.h"       // IWYU pragma: export
#include "base/short_number.h" // IWYU pragma: export
#include "model/model.h"
#include "model/place_text.h" // IWYU pragma: export
#include "llvm/ADT/ArrayRef.h"
#include <set>
#include <string>
#include <string_view>

namespace warplint {

/// "at line 7", "at lines 7 to 12": of the places in the file of `seenFrom`,
/// ", and in other files" if there are more; where none is, "at main.cu:7 and 2
/// other lines".
std::string atLines(const std::set<Place> &places, const Place &seenFrom);

/// "every iteration of the loop at line 12"; if a condition on data that the
/// iteration loads guards the access, "those iterations of the loop at line 12
/// that loaded data select".
std::string everyIteration(const Kernel &kernel, const Access &access,
                           LoopId loop);

/// "for blocks of 32x8x1, launched at line 40" if the launch is in the file of
/// `place`, else "launched at main.cu:40".
std::string shapeNote(const KernelShape &shape, const Place &place);

/// The name of a kernel without its template arguments: to a reader of the
/// source, its instances are one kernel.
std::string templateName(const Kernel &kernel);

/// The text of an access in the source, "a[i]", or the name of its object.
const std::string &shown(const Access &access);

/// "the same goes for 'y[j]', 'z[j]' and 3 more": those of `accesses` whose
/// text differs from the first; empty if there are none.
std::string othersNote(const Kernel &kernel, llvm::ArrayRef<unsigned> accesses);

/// The change that makes a loop's bound known at compile time: "make 'dim'
/// (captured from line 8) a template parameter of the function that
/// dispatches". Empty if the source has no name for the bound, or if it differs
/// between threads.
std::string boundCure(const Kernel &kernel, const Loop &loop);
/// The same, and empty where threads divide the iterations: a constant bound
/// would not say how many each has.
std::string boundCure(const Kernel &kernel, LoopId loop);

/// "'a'", "'a' and 'b'", "'a', 'b' and 'c'"; there is at least one name.
std::string quotedNames(llvm::ArrayRef<std::string> names);

} // namespace warplint
