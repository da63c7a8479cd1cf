// Findings to what an engineer reads: one for each cause, the dearest first,
// and apart from those that do not pay.
#pragma once
#include "report/report.h"

namespace warplint {

/// Joins findings of one check in one file and one kernel: first those of one
/// object, since all fields of an array of structures have one remedy, and so
/// have pointers in one structure whose findings name the same fix; then those
/// with one `cause`, whatever their objects. The dearest stands for the others:
/// their places become its `places`, their shares add up, and they are marked
/// `isPart`. Instances of a template count as one kernel; the shares of one of
/// them add up, and the largest of these sums counts. Then joins findings in a
/// function that several kernels call: the dearest gets the kernels of the
/// others, each with its share. At last joins those of another check that a
/// finding of the same cause covers.
void joinCauses(std::vector<Finding> &findings);

/// Takes out findings that others stand for.
void dropParts(Report &report);

/// Marks as minor, beside what is so already, what saves less of the kernel's
/// time than `given`, from 0 to 1, else than its `leastShare`. A finding whose
/// share is unknown is not minor.
void markMinor(std::vector<Finding> &findings, std::optional<double> given);

/// Puts the dearest first. One without a share stands where `unknownShare`
/// would put it; minor ones follow the others, and refuted ones stand last;
/// equal ones keep their order.
void sortByCost(std::vector<Finding> &findings);
inline constexpr double unknownShare = 0.05;

/// Takes out minor findings, and counts them in `report.minor`.
void dropMinor(Report &report);

} // namespace warplint
