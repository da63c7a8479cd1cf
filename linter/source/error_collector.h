// Clang's errors as values, without a word printed.
#pragma once
#include "source/parsed_source.h"
#include "clang/Basic/Diagnostic.h"
#include <memory>
#include <vector>

namespace warplint {

/// Adds each error that is one to nvcc as well to `errors`: first those that
/// say what is missing (fatal errors and #error), then in the order of the
/// source. What may cure them goes to `parsed` and `kinds`, unless null. All
/// must outlive the consumer.
std::unique_ptr<clang::DiagnosticConsumer>
collectErrors(std::vector<ParseError> &errors, ParsedSource *parsed = nullptr,
              ErrorKinds *kinds = nullptr);

} // namespace warplint
