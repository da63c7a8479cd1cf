// PTX tokens to declarations and statements: ptx_text.cpp has the module level,
// ptx_body.cpp what stands in a function's braces.
#pragma once
#include "ptx/ptx_lexer.h"
#include "ptx/ptx_text.h"

namespace warplint::ptx {

/// Of a directive with its dot: ".shared".
std::optional<Space> spaceNamed(llvm::StringRef directive);

/// Recursive descent over one token of lookahead. The first thing that is wrong
/// ends the parse: `failed()` is asked wherever something repeats.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : lexer_(text) { advance(); }
  llvm::Expected<Module> run();
  /// Parses what follows `.entry`, up to the body; nothing for a declaration.
  std::optional<Function> runKernelHead();

private:
  // Tokens.
  void advance() { token_ = lexer_.next(); }
  bool take(llvm::StringRef expected);
  void expect(llvm::StringRef expected);
  void fail(const llvm::Twine &what);
  bool failed() const { return !error_.empty(); }
  llvm::StringRef word(const char *what);
  int64_t integer();
  void skipBraces();
  void skipStatement();

  // Constant expressions: lowest precedence first.
  int64_t expression();
  int64_t sum();
  int64_t product();
  int64_t unary();
  Variable::Element element();

  // Module level.
  void topLevel();
  void header();
  void fileDirective();
  void section();
  void debugStrings();
  void function(bool isKernel, bool isVisible, bool isWeak, bool isExtern);
  void head(Function &f);
  void parameters(std::vector<Variable> &into);
  void directives(Function &f);
  void variables(Space space, bool isExtern, std::vector<Variable> &into);
  void variableType(Variable &v);
  void variableShape(Variable &v);
  void initializer(std::vector<Variable::Element> &into, unsigned depth);

  // Function bodies.
  void body(Function &f);
  void statement(Function &f);
  void bodyDirective(Function &f);
  void bodyVariables(Function &f, Space space, bool isExtern);
  void registers(Function &f);
  void declareRegister(Scope &scope, llvm::StringRef name, const Variable &v);
  bool expandVector(Operand &o);
  void location(Function &f);
  void label(Function &f, llvm::StringRef name);
  void instruction(Function &f, Statement s);
  Operand operand(unsigned depth);
  Operand address(unsigned depth);
  Operand list(llvm::StringRef end, unsigned depth);
  Operand number();

  Lexer lexer_;
  Token token_;
  std::string error_;
  Module module_;
  bool sawVersion_ = false;
  /// Of the function whose body is being read, and the innermost open one.
  const std::deque<Scope> *scopes_ = nullptr;
  unsigned scope_ = 0;
  bool isCall_ = false;  ///< whether parentheses hold a call's operands
  unsigned nesting_ = 0; ///< of parentheses in a constant expression
};

} // namespace warplint::ptx
