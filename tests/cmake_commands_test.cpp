// CMake's own syntax: what stands in a comment or under a condition is no fact
// about a project.
#include "input/cmake_commands.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(CmakeCommands, WordsAreReadAsCMakeReadsThem) {
  const auto commands =
      commandsInCmake("SET(A b \"c d\" \"e \\\"f\\\" \\\\1\" [[g )]])\n"
                      "# set(B 1)\n"
                      "#[[ set(C 1)\n set(D 1) ]]\n"
                      "target_link_libraries (a # the first\n  b)\n"
                      "set(E \\${x})\n"
                      "set(F -DA=\"b c\"d)\n");
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_THAT(commands[3].words, ElementsAre("F", "-DA=\"b c\"d"));
  EXPECT_EQ(commands[0].name, "set");
  EXPECT_THAT(commands[0].words,
              ElementsAre("A", "b", "c d", "e \"f\" \\1", "g )"));
  EXPECT_THAT(commands[1].words, ElementsAre("a", "b"));
  EXPECT_THAT(commands[2].words, ElementsAre("E", "${{x}"));
}

TEST(CmakeCommands, WhatMayNotBeRunIsConditional) {
  const auto commands = commandsInCmake("if(A AND (B OR C))\n"
                                        "  set(X 1)\n"
                                        "else()\n"
                                        "  set(X 2)\n"
                                        "endif()\n"
                                        "function(f)\n"
                                        "  set(X 3)\n"
                                        "endfunction()\n"
                                        "set(X 4)\n");
  std::vector<std::string> conditional;
  for (const CmakeCommand &each : commands)
    if (each.name == "set")
      conditional.push_back(each.words[1] + (each.isConditional ? "?" : ""));
  EXPECT_THAT(conditional, ElementsAre("1?", "2?", "3?", "4"));
  EXPECT_THAT(commands[0].words,
              ElementsAre("A", "AND", "(", "B", "OR", "C", ")"));
}

// NCCL's sources need the macro that says that the system is Linux.
TEST(CmakeCommands, TheSystemIsKnown) {
  const auto commands = commandsInCmake(R"(
if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
  set(X 1)
  if(A)
    set(X 2)
  endif()
elseif(${CMAKE_SYSTEM_NAME} MATCHES "Linux")
  set(X 3)
  if(A)
    set(X 4)
  endif()
else()
  set(X 5)
endif()
if(NOT WIN32)
  set(X 6)
endif()
if(A)
  set(X 7)
elseif(APPLE)
  set(X 8)
elseif(UNIX)
  set(X 9)
else()
  set(X 90)
endif()
if(MSVC)
else()
  set(X 10)
endif()
if(UNIX AND NOT APPLE)
  set(X 11)
endif()
if(WIN32 OR A)
  set(X 12)
endif()
if(WIN32 AND A)
  set(X 13)
endif()
set(X 14)
)");
  std::vector<std::string> found;
  for (const CmakeCommand &each : commands)
    if (each.name == "set")
      found.push_back(each.words[1] + (each.isConditional ? "?" : ""));
  EXPECT_THAT(found,
              ElementsAre("3", "4?", "6", "7?", "9?", "10", "11", "12?", "14"));
}

// What a project defines for CUDA, and for HIP otherwise, as gunrock's build does,
// was left out.
TEST(CmakeCommands, ABuildWithCudaIsMeant) {
  const auto commands = commandsInCmake(R"(
if(${HEAT_NVIDIA_BACKEND})
  set(X 1)
else()
  set(X 2)
endif()
if(NOT USE_CUDA)
  set(X 3)
endif()
if(GPU_API STREQUAL "CUDA")
  set(X 4)
elseif(GPU_API STREQUAL "HIP")
  set(X 5)
endif()
if(API STREQUAL "OPENCL" OR A)
  set(X 6)
endif()
if(HEAT_CUDA_GRAPHS)
  set(X 7)
endif()
)");
  std::vector<std::string> found;
  for (const CmakeCommand &each : commands)
    if (each.name == "set")
      found.push_back(each.words[1] + (each.isConditional ? "?" : ""));
  EXPECT_THAT(found, ElementsAre("1", "4", "6?", "7?"));
}

TEST(CmakeCommands, ATextThatEndsTooEarlyIsRead) {
  for (const char *text : {"set(", "set(A \"b", "set(A [[b", "#[[", "set", "(",
                           ")", "endif()", "set(A \\", "endif() endif()"})
    commandsInCmake(text);
  EXPECT_THAT(commandsInCmake(""), IsEmpty());
}
