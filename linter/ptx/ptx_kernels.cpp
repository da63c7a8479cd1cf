#include "ptx/ptx_kernels.h"
#include "base/folders.h"
#include "base/readable_name.h"
#include "cost/address_roots.h"
#include "cost/lanes.h"
#include "ir/analyses.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "ptx/ptx_lexer.h"
#include "ptx/read_ptx.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include <map>
#include <tuple>

namespace path = llvm::sys::path;

namespace warplint {

namespace {

bool callsInto(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration())
          return true;
  return false;
}

/// Inlines the functions that the compiler did not; calls that remain are
/// recursion.
void inlineCalls(llvm::Module &module, llvm::TargetMachine &target) {
  if (!callsInto(module))
    return;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || isKernel(function))
      continue;
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  Analyses analyses(target);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  // Promotes the stack slots of arguments and results.
  llvm::FunctionPassManager tidy;
  tidy.addPass(llvm::PromotePass());
  tidy.addPass(llvm::InstSimplifyPass());
  tidy.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(tidy)));
  passes.run(module, analyses.modules);
}

/// Parses an attribute such as "32,8,1".
std::vector<unsigned> sizes(const llvm::Function &function,
                            llvm::StringRef attribute) {
  std::vector<unsigned> result;
  llvm::SmallVector<llvm::StringRef, 3> parts;
  function.getFnAttribute(attribute).getValueAsString().split(parts, ',', -1,
                                                              false);
  for (llvm::StringRef part : parts)
    if (unsigned size = 0; !part.getAsInteger(10, size) && size)
      result.push_back(size);
  return result;
}

std::optional<Shape> blockOf(const llvm::Function &function,
                             llvm::StringRef attribute) {
  std::vector<unsigned> given = sizes(function, attribute);
  if (given.empty() || given.size() > 3)
    return std::nullopt;
  given.resize(3, 1);
  Shape shape{given[0], given[1], given[2]};
  bool isPossible = shape.x <= 1024 && shape.y <= 1024 && shape.z <= 64 &&
                    shape.threads() <= 1024;
  return isPossible ? std::optional(shape) : std::nullopt;
}

void describe(const llvm::Function &function, const Names &names,
              Kernel &kernel) {
  kernel.name = readableKernelName(kernel.mangled);
  if (const llvm::DISubprogram *subprogram = function.getSubprogram()) {
    llvm::DILocation *start =
        llvm::DILocation::get(function.getContext(), subprogram->getLine(), 0,
                              const_cast<llvm::DISubprogram *>(subprogram));
    kernel.place = framesOf(start, names).place;
  }
  if (std::optional<Shape> block = blockOf(function, "nvvm.reqntid"))
    kernel.shapes = {{*block, ShapeSource::LaunchBounds, kernel.place, {}}};
  if (std::optional<Shape> most = blockOf(function, "nvvm.maxntid")) {
    std::vector<unsigned> blocks = sizes(function, "nvvm.minctasm");
    kernel.bounds = LaunchBounds{unsigned(most->threads()),
                                 blocks.empty() ? 0 : blocks.front()};
  }
}

/// "param_0" of `_Z1kPf_param_0`.
std::string plainParameter(llvm::StringRef name, llvm::StringRef kernel) {
  return (name.consume_front(kernel) ? name.ltrim('_') : name).str();
}

/// Returns the name of the one object, or else the one argument, that an
/// address is computed from; empty if there is none or several.
std::string objectOf(const Kernel &kernel, ValueId address) {
  std::set<std::string> objects, arguments;
  for (ValueId id : addressRoots(kernel.graph, address)) {
    const Node &node = kernel.graph.node(id);
    if (node.op == Op::Base)
      objects.insert(kernel.objects[node.number].name);
    else if (node.op == Op::Parameter && node.bits == 64)
      arguments.insert(kernel.graph.text(id));
  }
  const std::set<std::string> &found = objects.empty() ? arguments : objects;
  return found.size() == 1 ? *found.begin() : "";
}

void nameParameters(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (isKernel(function))
      for (llvm::Argument &argument : function.args())
        argument.setName(
            plainParameter(argument.getName(), function.getName()));
}

/// Names accesses by their objects: PTX has no other names.
void nameAccesses(Kernel &kernel) {
  for (Access &access : kernel.accesses)
    access.object = objectOf(kernel, access.address);
}

/// Returns true if an address depends on a value that a loop left.
bool goesOnAfterLoop(const ExpressionGraph &graph, ValueId address) {
  return !graph.walk(address, [&](ValueId id) {
    return graph.node(id).op == Op::Final ? ExpressionGraph::Walk::Stop
                                          : ExpressionGraph::Walk::Into;
  });
}

/// Marks loads before a loop as made once if the same line also loads in the
/// loop. Loads after an unrolled loop are its remaining iterations.
void markLoadedOnce(Kernel &kernel) {
  std::map<std::tuple<llvm::StringRef, unsigned, Space>, size_t> deepest;
  auto depth = [&](const Access &access) -> size_t & {
    return deepest[{access.place.file, access.place.line, access.space}];
  };
  for (const Access &access : kernel.accesses)
    if (access.operation == Operation::Load)
      depth(access) = std::max(depth(access), access.loops.size());
  for (Access &access : kernel.accesses)
    if (access.operation == Operation::Load &&
        access.loops.size() < depth(access) &&
        !goesOnAfterLoop(kernel.graph, access.address))
      access.need = Need::Once;
}

void addLibraryFiles(const llvm::Module &module, Names &names) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  llvm::DenseSet<const llvm::DIFile *>
      asked; // each one takes a look at the disk
  auto add = [&](const llvm::DIFile *file) {
    if (!file || !asked.insert(file).second ||
        !isLibraryFile(file->getFilename()))
      return;
    llvm::SmallString<256> plain(file->getFilename());
    path::remove_dots(plain, /*remove_dot_dot=*/true); // as in Place
    names.systemFiles.insert(plain.str().str());
  };
  for (const llvm::DIScope *scope : finder.scopes())
    add(scope->getFile());
  for (const llvm::DISubprogram *subprogram : finder.subprograms())
    add(subprogram->getFile());
}

} // namespace

std::string ptxTarget(llvm::StringRef text) {
  ptx::Lexer lexer(text);
  for (ptx::Token token = lexer.next(); token.kind != ptx::Token::End;
       token = lexer.next())
    if (token.is(".target"))
      return lexer.next().text.str();
  return "";
}

bool isLibraryFile(llvm::StringRef file) {
  if (isInstalledForPython(file))
    return true;
  llvm::StringRef before;
  for (auto part = path::begin(file), end = path::end(file); part != end;
       ++part) {
    if ((before == ".julia" && *part == "packages") ||
        (before == "lib" && *part == "clang") ||
        (before == "cuda" && *part == "std") ||
        (before == "usr" && (*part == "include" || *part == "lib")))
      return true;
    before = *part;
  }
  // Julia gives its own library's files relative names: "./int.jl".
  if (file.starts_with("./") && file.ends_with(".jl"))
    return true;
  // A toolkit's headers are next to this one or below it, CUB's five levels
  // deep.
  llvm::StringRef folder = path::parent_path(file);
  for (unsigned up = 0; up < 8 && !folder.empty();
       ++up, folder = path::parent_path(folder)) {
    llvm::SmallString<256> header(folder);
    path::append(header, "cuda_runtime_api.h");
    if (llvm::sys::fs::exists(header))
      return true;
  }
  return false;
}

llvm::Expected<std::vector<Kernel>> readPtxKernels(llvm::StringRef text,
                                                   const PtxRequest &request) {
  llvm::LLVMContext context;
  auto module = readPtx(text, context, request.file);
  if (!module)
    return module.takeError();
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(**module);
  for (llvm::Function &function : **module)
    if (isKernel(function) && !function.isDeclaration() && request.wanted &&
        !request.wanted(function.getName()))
      function.deleteBody();
  inlineCalls(**module, *target);
  nameParameters(**module);
  Names names;
  names.systemFiles = request.systemFiles;
  addLibraryFiles(**module, names);
  std::vector<Kernel> kernels = readKernels(**module, *target, names);
  for (Kernel &kernel : kernels) {
    kernel.isCompiled = true;
    nameAccesses(kernel);
    markLoadedOnce(kernel);
    describe(*(*module)->getFunction(kernel.mangled), names, kernel);
  }
  return kernels;
}

} // namespace warplint
