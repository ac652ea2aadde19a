#pragma once

#include <string>
#include <vector>

#include "plan/graph.h"
#include "plan/plan.h"

namespace pliant::plan {

// Graphs and plans as text for people, and for tests that compare it:
//
//   r0 f32[batch, 64] = input x
//   c1 f32[64, 8]
//   c2 f32[] = 0.5
//   r1 f32[batch, 8] = MATMUL r0, c1 | ELEMENTWISE_ADD c4 | ELEMENTWISE_SUB c2, ^
//   output y = r1
//
// Results are numbered in the order in which they are made, constants as they lie in the graph.
// Behind a `|` stands an instruction that has joined the one before it: the result of that one is
// left out where it is the first operand, and is a `^` elsewhere; a result that others read as well
// has a number of its own. Sizes are expressions of the segment's entries.

/// Every live-in and constant that is read, every node, every live-out. Takes any graph between two
/// passes.
[[nodiscard]] std::string print(const Graph& graph);

/// The same for the steps of a plan, with its box in front.
[[nodiscard]] std::string print(const Plan& plan);

/// The same in pieces, for what says more about each step.
struct PrintedPlan {
  std::string head;                 ///< box, live-ins and constants
  std::vector<std::string> steps;   ///< without line ends
  std::string tail;                 ///< live-outs
  std::vector<std::string> values;  ///< "r3", "c1", by Plan::values; empty where none is seen
};
[[nodiscard]] PrintedPlan print_parts(const Plan& plan);

}  // namespace pliant::plan
