// The statements of a PTX function, with the scopes of its names.
#include "ptx/ptx_text.h"
#include <gmock/gmock.h>

using namespace warplint::ptx;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The one function of a text; its strings point into `text`.
Module bodyOf(const std::string &text) {
  auto module = parsePtx(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return {};
}

std::string textOf(llvm::StringRef body) {
  return (".version 9.0\n.target sm_90\n.address_size 64\n"
          ".entry k(.param .u64 p)\n{\n" +
          body + "\n}\n")
      .str();
}

TEST(PtxBody, StatementsKeepGuardsAndOperands) {
  const std::string text =
      textOf(".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
             "@!%p1 bra $L_end;\n"
             "st.global.v2.f32 [%rd1+-8], {%r2, 0f3F800000};\n"
             "$L_end: ret;");
  const Module module = bodyOf(text);
  const auto &statements = module.functions[0].statements;
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_EQ(statements[0].name, "bra");
  EXPECT_EQ(statements[0].guard, "%p1");
  EXPECT_TRUE(statements[0].guardNegated);
  EXPECT_EQ(statements[0].line, 7u);
  const Statement &store = statements[1];
  EXPECT_EQ(store.name, "st.global.v2.f32");
  ASSERT_EQ(store.operands.size(), 2u);
  EXPECT_EQ(store.operands[0].kind, Operand::Address);
  EXPECT_EQ(store.operands[0].name, "%rd1");
  EXPECT_EQ(store.operands[0].value, -8);
  ASSERT_EQ(store.operands[1].parts.size(), 2u);
  EXPECT_EQ(store.operands[1].parts[1].kind, Operand::Real);
  EXPECT_EQ(store.operands[1].parts[1].value, 0x3F800000);
  EXPECT_EQ(statements[2].kind, Statement::Label);
}

// nvcc puts each call into braces, with the same names in all of them.
TEST(PtxBody, BracesHaveDeclarationsOfTheirOwn) {
  const std::string text =
      textOf(".reg .b32 %r<4>;\n"
             "{ .reg .b64 t; mov.b64 t, 1; }\n"
             "{ .reg .b32 t; { mov.b32 t, 2; } mov.b32 t, 3; }\n"
             "ret;");
  const Module module = bodyOf(text);
  const Function &k = module.functions[0];
  ASSERT_EQ(k.scopes.size(), 4u);
  EXPECT_EQ(k.scopes[0].parent, -1);
  EXPECT_EQ(k.scopes[1].parent, 0);
  EXPECT_EQ(k.scopes[2].parent, 0);
  EXPECT_EQ(k.scopes[3].parent, 2);
  EXPECT_EQ(k.scopes[1].registers.lookup("t").bits, 64u);
  EXPECT_EQ(k.scopes[2].registers.lookup("t").bits, 32u);
  std::vector<unsigned> scopes;
  for (const Statement &statement : k.statements)
    scopes.push_back(statement.scope);
  EXPECT_THAT(scopes, ElementsAre(1, 3, 2, 0));
}

// The chain of inlined calls is all that leads from an instruction to the
// kernel's own line.
TEST(PtxBody, ALocationHasItsCaller) {
  const std::string text = textOf(
      ".loc 1 9 50, function_name $L__info_string0+3, inlined_at 2 13 7\nret;");
  const Module module = bodyOf(text);
  const Function &k = module.functions[0];
  ASSERT_EQ(k.locations.size(), 1u);
  const Location &place = k.locations[0];
  EXPECT_EQ(place.line, 9u);
  EXPECT_EQ(place.column, 50u);
  EXPECT_TRUE(place.isInlined);
  EXPECT_EQ(place.function, "$L__info_string0");
  EXPECT_EQ(place.offset, 3);
  EXPECT_EQ(place.atFile, 2u);
  EXPECT_EQ(place.atLine, 13u);
  EXPECT_EQ(place.atColumn, 7u);
}

TEST(PtxBody, AVectorRegisterStandsForItsParts) {
  const std::string text =
      textOf(".reg .v2 .b32 v; ld.global.v2.b32 v, [p]; ret;");
  const Module module = bodyOf(text);
  const Operand &loaded = module.functions[0].statements[0].operands[0];
  ASSERT_EQ(loaded.kind, Operand::List);
  ASSERT_EQ(loaded.parts.size(), 2u);
  EXPECT_EQ(loaded.parts[0].name, "v.x");
  EXPECT_EQ(loaded.parts[1].name, "v.y");
}

TEST(PtxBody, ABodyThatIsCutOffIsAnError) {
  auto module = parsePtx(".entry k()\n{\n{ ret;\n");
  ASSERT_FALSE(bool(module));
  EXPECT_THAT(llvm::toString(module.takeError()),
              HasSubstr("expected '}' at the end of 'k'"));
}

} // namespace
