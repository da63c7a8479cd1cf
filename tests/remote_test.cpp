// The shared cache, with a server of this test.
#include "cache/remote.h"
#include "input_folder.h"
#include <arpa/inet.h>
#include <csignal>
#include <gtest/gtest.h>
#include <map>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;

namespace {

/// Answers GET and PUT in a process of its own; with `status`, if it is not 0,
/// whatever is asked.
class Server {
public:
  explicit Server(int status = 0) : status_(status) {
    requests_ =
        static_cast<int *>(mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto *address = reinterpret_cast<sockaddr *>(&at);
    isUp_ = !bind(socket_, address, sizeof at) && !listen(socket_, 8) &&
            !getsockname(socket_, address, &size);
    port_ = ntohs(at.sin_port);
    process_ = fork();
    if (process_ == 0)
      serve();
    close(socket_);
  }
  ~Server() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    munmap(requests_, sizeof(int));
  }

  bool isUp() const { return isUp_ && process_ > 0; }
  int requests() const { return *static_cast<volatile int *>(requests_); }
  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/cache";
  }

private:
  [[noreturn]] void serve() {
    std::map<std::string, std::string> records;
    while (true) {
      const int client = accept(socket_, nullptr, nullptr);
      std::string text;
      while (text.find("\r\n\r\n") == text.npos && more(client, text))
        ;
      const size_t body = text.find("\r\n\r\n") + 4, space = text.find(' ');
      const std::string path =
          text.substr(space + 1, text.find(' ', space + 1) - space - 1);
      ++*requests_;
      std::string answer;
      int status = status_;
      if (text.compare(0, 3, "PUT") == 0) {
        const size_t length =
            std::stoul(text.substr(text.find("Content-Length: ") + 16));
        while (text.size() < body + length && more(client, text))
          ;
        records[path] = text.substr(body);
        status = status ? status : 201;
      } else if (!status) {
        auto found = records.find(path);
        status = found == records.end() ? 404 : 200;
        answer = found == records.end() ? "no such record" : found->second;
      }
      answer = "HTTP/1.1 " + std::to_string(status) +
               " X\r\nConnection: close\r\nContent-Length: " +
               std::to_string(answer.size()) + "\r\n\r\n" + answer;
      for (size_t sent = 0; sent < answer.size();) {
        const ssize_t count = send(client, answer.data() + sent,
                                   answer.size() - sent, MSG_NOSIGNAL);
        if (count <= 0)
          break;
        sent += count;
      }
      close(client);
    }
  }
  static bool more(int client, std::string &text) {
    char bytes[4096];
    const ssize_t count = recv(client, bytes, sizeof bytes, 0);
    text.append(bytes, count > 0 ? count : 0);
    return count > 0;
  }

  const int status_;
  int socket_ = -1, port_ = 0;
  bool isUp_ = false;
  int *requests_ = nullptr;
  pid_t process_ = -1;
};

/// A failure ends all use of servers in its process and its forks, so each test
/// runs in a program started anew.
struct RemoteCache : testing::Test {
  Environment noProxy{"no_proxy", "127.0.0.1"};
  RemoteCache() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Ends the process with 0 if `holds` is true. The servers that it starts end
/// before: one that lives on would keep the test's pipe open.
[[noreturn]] void exitBy(bool (*holds)()) { _exit(holds() ? 0 : 1); }

} // namespace

TEST_F(RemoteCache, ARecordComesBackAsItWasPut) {
  EXPECT_EXIT(exitBy([] {
                Server server;
                const Remote remote(server.url());
                const std::string bytes("a\0b\r\n\r\n\xff", 8);
                remote.put("one", bytes);
                return server.isUp() && remote.get("one") == bytes &&
                       Remote(server.url()).get("one") == bytes;
              }),
              testing::ExitedWithCode(0), "");
}

// Most requests of a first run are for records that nobody has made yet.
TEST_F(RemoteCache, ARecordThatIsNotThereIsNoFailure) {
  EXPECT_EXIT(exitBy([] {
                Server server;
                const Remote remote(server.url());
                const bool isThere = remote.get("none").has_value();
                remote.put("one", "1");
                return !isThere && remote.get("one") == "1" &&
                       server.requests() == 3;
              }),
              testing::ExitedWithCode(0), "^$");
}

// A broken server must cost a run one request, and one line that says so.
TEST_F(RemoteCache, AServerThatRefusesIsAskedOnce) {
  EXPECT_EXIT(exitBy([] {
                Server server(503);
                const Remote remote(server.url());
                const bool isThere = remote.get("one").has_value();
                remote.put("two", "2");
                return !isThere && !remote.get("three") &&
                       server.requests() == 1;
              }),
              testing::ExitedWithCode(0),
              "^warplint: the remote cache is not used: it answers 503\n$");
}

TEST_F(RemoteCache, AServerThatIsNotThereIsSaid) {
  EXPECT_EXIT(exitBy([] {
                std::string url;
                {
                  url = Server().url();
                }
                return !Remote(url).get("one");
              }),
              testing::ExitedWithCode(0), "the remote cache is not used: ");
}

// libcurl reads files too: a URL from a project's file must not.
TEST_F(RemoteCache, OnlyHttpIsSpoken) {
  InputFolder folder;
  folder.write("record", "secret");
  EXPECT_EXIT(_exit(Remote("file://" + folder.path).get("record") ? 1 : 0),
              testing::ExitedWithCode(0), "is not used: ");
}

TEST_F(RemoteCache, WithoutAUrlNothingIsAsked) {
  EXPECT_EXIT(exitBy([] {
                Remote("").put("one", "1");
                return !Remote("").get("one");
              }),
              testing::ExitedWithCode(0), "^$");
}
