// Pieces to those that have to stay since others refer to them.
#pragma once
#include "source/shorten/divide.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace warplint {

/// By piece, true if it has to stay: all that are not Piece::MayGo, and what
/// they refer to, directly or not.
///
/// A declaration is referred to if its name is a word of a piece that stays, or
/// of what nvcc itself adds: so overloads and specialisations of a name stay or
/// go together. There are three exceptions. A function template or a partial
/// specialisation over X<T> stays only if X is referred to too, since any code
/// that has an X names it. A member defined outside its class stays with the
/// class. An operator stays with a class that its parameters name. A piece
/// whose names are not understood stays.
std::vector<bool> neededPieces(const TokenText &text,
                               llvm::ArrayRef<Piece> pieces);

} // namespace warplint
