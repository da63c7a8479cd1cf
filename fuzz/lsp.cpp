#include "fuzz/targets.h"
#include "lsp/messages.h"

/// Each message, and what an editor does with a bad one: nothing.
void warplint::fuzzLsp(llvm::StringRef bytes) {
  Messages messages;
  messages.bytes() = bytes.str();
  while (auto message = messages.next())
    if (!*message)
      llvm::consumeError(message->takeError());
}
