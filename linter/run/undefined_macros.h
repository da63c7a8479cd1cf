// Names that a build defines on the command line, from the errors of sources
// that were read without its flags.
#pragma once
#include "report/report.h"
#include "run/outcome.h"
#include <set>
#include <string>

namespace warplint {

/// Adds one note on the names in capitals that are declared nowhere in the
/// project of a bare source: -DMAX_LENGTH=300 stands in its Makefile. Leaves
/// out sources that lack a header, which may declare them, and `parts`.
void noteUndefinedMacros(const Outcomes &outcomes,
                         const std::set<std::string> &parts, Report &report);

/// Adds one note on a name that a file of such a source declares behind a
/// condition which nothing meets, as `typedef double Real;` behind
/// `#if PRECISION == 2`.
void noteHiddenDeclarations(const Outcomes &outcomes,
                            const std::set<std::string> &parts, Report &report);

/// Adds one note on a header of the project that declares what such sources do
/// not know: a build includes it first, by '-include', or the sources are
/// compiled as parts of others.
void noteHeadersToInclude(const Outcomes &outcomes,
                          const std::set<std::string> &parts, Report &report);

} // namespace warplint
