// An editor's bytes to messages: an editor that sends a broken one goes on.
#include "lsp/messages.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace warplint;
using testing::ElementsAre;

TEST(Messages, ArriveInPiecesOfAnySize) {
  const std::string text = "Content-Length: 9\r\nContent-Type: x\r\n\r\n"
                           "{\"a\":\"b\"}content-length:2\n\n[]";
  Messages messages;
  std::vector<std::string> found;
  for (char c : text) {
    messages.bytes() += c;
    while (auto message = messages.next())
      found.push_back(formatv("{0}", cantFail(std::move(*message))).str());
  }
  EXPECT_THAT(found, ElementsAre("{\"a\":\"b\"}", "[]"));
}

TEST(Messages, FollowOnABadMessage) {
  Messages messages;
  messages.bytes() = "Content-Length: 99999999999999\r\n\r\n"
                     "rubbish Content-Length: 4\r\n\r\nnull";
  auto wrong = messages.next();
  ASSERT_TRUE(wrong && !*wrong);
  consumeError(wrong->takeError());
  auto good = messages.next();
  ASSERT_TRUE(good && *good);
  EXPECT_EQ((*good)->kind(), json::Value::Null);
  EXPECT_FALSE(messages.next());
}
