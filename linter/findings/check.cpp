#include "findings/check.h"
#include "cost/address_roots.h"
#include "cost/busiest_shape.h"
#include "cost/lanes.h"
#include "findings/useless_allow.h"
#include "findings/worse_kernel.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warplint {

namespace {

/// The checks' Enrol objects fill it before main.
std::vector<Check> &enrolled() {
  static std::vector<Check> all;
  return all;
}

} // namespace

Enrol::Enrol(Check check) {
  std::vector<Check> &all = enrolled();
  auto before = [](const Check &a, const Check &b) {
    return a.info.id < b.info.id;
  };
  all.insert(std::upper_bound(all.begin(), all.end(), check, before), check);
}

const std::vector<Check> &checks() { return enrolled(); }

const Check *findCheck(std::string_view id) {
  if (id == uselessAllow().info.id)
    return &uselessAllow();
  if (id == worseKernel().info.id)
    return &worseKernel();
  auto it = llvm::find_if(
      enrolled(), [&](const Check &check) { return check.info.id == id; });
  return it == enrolled().end() ? nullptr : &*it;
}

Finding &Findings::add(const Place &place, const std::vector<Place> &callSites,
                       std::string message, unsigned subject) {
  Finding finding;
  finding.check = check_.id;
  finding.level = check_.level;
  finding.place = place;
  finding.callSites = callSites;
  finding.about = message;
  finding.message = std::move(message);
  FindingKernel kernel;
  kernel.name = kernel_.name;
  kernel.mangled = kernel_.mangled;
  kernel.subject = subject;
  kernel.place = kernel_.place;
  finding.kernels.push_back(std::move(kernel));
  into_.push_back(std::move(finding));
  return into_.back();
}

/// The object that an access leads into: a helper's parameters have other names
/// for an array in shared memory, `a` and `b` of two of its elements.
static std::string nameOfObject(const Kernel &kernel, const Access &access) {
  if (access.callSites.empty())
    return access.object;
  std::string name;
  for (ValueId root : addressRoots(kernel.graph, access.address))
    if (const Node &node = kernel.graph.node(root); node.op == Op::Base) {
      const Object &object = kernel.objects[node.number];
      if (object.space != Space::Shared)
        return access.object;
      if (object.name.empty() || (!name.empty() && name != object.name))
        return access.object;
      name = object.name;
    }
  return name.empty() ? access.object : name;
}

Finding &Findings::add(const Access &access, std::string message,
                       unsigned subject) {
  Finding &finding =
      add(access.place, access.callSites, std::move(message), subject);
  finding.about = access.text.empty() ? access.object : access.text;
  finding.object = nameOfObject(kernel_, access);
  return finding;
}

const ShapeCosts *
worstShape(const CostedKernel &costed,
           llvm::function_ref<double(const ShapeCosts &)> loss) {
  // The loss of an execution, in sectors or ways, is below this.
  constexpr double mostLoss = 1e3;
  const ShapeCosts *worst = nullptr;
  double most = 0;
  if (isOverdue())
    return nullptr;
  for (const ShapeCosts &shape : costed.shapes) {
    // Of a block that nobody knows, a launch of a known one that executes the
    // code tells the same.
    if (worst && shape.shape.source == ShapeSource::Assumed &&
        worst->shape.source != ShapeSource::Assumed &&
        worst->shape.shape.threads() > 1 && most > mostLoss * neverExecuted)
      break;
    if (double here = loss(shape); here > most) {
      worst = &shape;
      most = here;
    }
  }
  return worst;
}

CostedKernel costed(const Kernel &kernel, const Tuning &tuning,
                    unsigned capability) {
  CostedKernel result{kernel, {}, tuning, capability};
  for (const KernelShape &shape : kernel.shapes)
    result.shapes.push_back({shape, costs(kernel, shape)});
  return result;
}

} // namespace warplint
