// The expressions that compute, by the place of their operator.
#pragma once
#include "ir/names.h"
#include "clang/AST/Expr.h"
#include <set>

namespace warplint {

class WrittenOperations {
public:
  /// Of several expressions at a place the first counts: added from the outside
  /// inwards, that is the one that the user sees.
  void add(const Place &place, const clang::Expr *expression) {
    expressions_.try_emplace(place, expression);
  }

  /// `place` is that of what a cast converts to double.
  void addCast(const Place &place) { casts_.insert(place); }

  /// Returns the source's text at a place. The AST must still exist.
  WrittenOperation describe(clang::ASTContext &context,
                            const Place &place) const;

private:
  std::map<Place, const clang::Expr *> expressions_;
  std::set<Place> casts_;
};

} // namespace warplint
