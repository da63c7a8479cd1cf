#include "cost/arguments.h"
#include "cost/repeats.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool isGlobal(Space space) {
  return space == Space::Global || space == Space::Unknown;
}

bool isWrite(const Access &access) {
  return access.operation != Operation::Load;
}

/// What the kernel does through each of its pointers.
class Arguments {
public:
  explicit Arguments(const Kernel &kernel) : kernel_(kernel) {
    for (const Access &access : kernel.accesses)
      of_.push_back(argumentOf(kernel, access));
    for (unsigned i = 0; i < of_.size(); ++i)
      if (of_[i] && (isWrite(kernel.accesses[i]) || isPromised(i)))
        leftOut_.insert(*of_[i]);
  }

  /// The argument of a load, if the kernel only reads through it and nothing
  /// in the source says that it is not written.
  std::optional<ObjectId> readOnly(unsigned access) const {
    return of_[access] && !leftOut_.contains(*of_[access]) ? of_[access]
                                                           : std::nullopt;
  }

private:
  bool isPromised(unsigned access) const {
    return kernel_.accesses[access].isRestrict ||
           kernel_.accesses[access].isReadOnly;
  }

  const Kernel &kernel_;
  std::vector<std::optional<ObjectId>> of_;
  llvm::DenseSet<ObjectId> leftOut_;
};

} // namespace

std::optional<ObjectId> argumentOf(const Kernel &kernel, const Access &access) {
  if (!isGlobal(access.space))
    return std::nullopt;
  std::optional<ObjectId> found;
  for (ValueId root : addressRoots(kernel.graph, access.address)) {
    const Node &node = kernel.graph.node(root);
    if (!node.pointer && node.op != Op::Base)
      continue; // an index
    if (node.op != Op::Base || (found && *found != node.number))
      return std::nullopt;
    const Object &object = kernel.objects[node.number];
    // A variable of the source has a size.
    if (object.space != Space::Global || object.bytes)
      return std::nullopt;
    found = ObjectId(node.number);
  }
  return found;
}

std::vector<Withheld> withheldLoads(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  std::vector<Withheld> found;
  // What a library's dispatch is given lies in members.
  if (kernel.isDispatched)
    return found;
  const Arguments arguments(kernel);
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &load = kernel.accesses[i];
    if (isWrite(load) || load.need != Need::EachTime || load.loops.empty() ||
        load.isVolatile || load.isAsync || load.inLibrary || !load.bytes)
      continue;
    const std::optional<ObjectId> argument = arguments.readOnly(i);
    if (!argument)
      continue;
    Withheld one{i, *argument, load.loops.back()};
    const Loop &loop = kernel.loops[one.loop];
    if (loop.inLibrary || loop.hasFence || loop.tripCount == 1)
      continue;
    bool isWritten = false, isPromised = false;
    for (unsigned w = 0; w < kernel.accesses.size(); ++w) {
      const Access &write = kernel.accesses[w];
      if (!isWrite(write) || !isGlobal(shape.costs[w].space))
        continue;
      isWritten = true;
      if (!llvm::is_contained(write.loops, one.loop))
        continue;
      isPromised |= write.isRestrict;
      if (!one.write)
        one.write = w;
    }
    const auto same =
        sameAddressNextIteration(kernel, shape.shape.shape, load, one.loop);
    one.isInvariant = same && *same && comesAgain(costed, load, one.loop);
    const bool isBehindBarrier =
        !one.write && loop.hasBarrier && isWritten && one.isInvariant;
    if ((!one.write && !isBehindBarrier) || isPromised)
      continue;
    found.push_back(one);
  }
  return found;
}

} // namespace warplint
