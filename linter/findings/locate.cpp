#include "findings/locate.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

template <class Code> bool standsAt(const Code &code, const Place &place) {
  return sameLine(code.place, place) ||
         llvm::any_of(code.callSites,
                      [&](const Place &site) { return sameLine(site, place); });
}

} // namespace

bool comesFrom(const Access &access, const Place &place) {
  return standsAt(access, place);
}

bool comesFrom(const Access &compiled, const Access &source) {
  if (source.lastLine <= source.place.line)
    return comesFrom(compiled, source.place);
  for (Place place = source.place; place.line <= source.lastLine; ++place.line)
    if (comesFrom(compiled, place))
      return true;
  return false;
}

bool comesFrom(const Branch &branch, const Place &place) {
  return standsAt(branch, place);
}

bool comesFrom(const Barrier &barrier, const Place &place) {
  return standsAt(barrier, place);
}

bool comesFrom(const Written &written, const Place &place) {
  return standsAt(written, place);
}

} // namespace warplint
