// One of the targets, WARPLINT_FUZZ, as libFuzzer's program.
#include "fuzz/targets.h"

/// LLVM's libraries are not instrumented. What they put into a container or an
/// allocator that instrumented code made looks like an overflow to those two
/// checks; all others stay on.
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  warplint::WARPLINT_FUZZ({reinterpret_cast<const char *>(bytes), size});
  return 0;
}
