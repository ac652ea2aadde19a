#pragma once

#include "base/cpu_features.h"
#include "base/function_ref.h"
#include "plan/graph.h"
#include "shapes/box.h"

namespace pliant::plan {

// The passes of the plan compiler, one file each. A pass changes a graph in place and keeps what it
// computes; it may run on any graph, and running it twice changes nothing more.

/// Uses the operand of a node that only passes it on: a reshape to the shape that is there, the
/// identity permutation, a cast to the same type, a whole slice, one part joined.
void forward_identities(Graph& graph);

/// Nodes that compute the same from the same become one. Random rows stay.
void merge_equal(Graph& graph);

/// Nodes whose results nobody reads go, unless running them may end in an error.
void drop_dead(Graph& graph);

/// Live-ins and entries that nothing depends on go. What is left is the segment's signature, so this
/// is done once, before narrower plans are made.
void trim_signature(Graph& graph);

/// Nodes that read constants alone are computed now, if that does not make the program larger.
void fold_constants(Graph& graph, CpuLevel level);

/// Replaces decomposed forms by the instruction that they spell out: LAYER_NORM, RMS_NORM, GELU,
/// SOFTMAX, ATTENTION. These round differently from their parts, so they are decided once per
/// program, on the box of any size.
void fuse_gelu(Graph& graph);
void fuse_softmax(Graph& graph);
void fuse_normalisation(Graph& graph);
void fuse_attention(Graph& graph);

/// Norms and softmax of f32 between casts from and to a 16-bit type become those of that type, whose
/// kernels compute in f32. Keeps every bit.
void absorb_casts(Graph& graph);

/// Elementwise instructions of one shape join the node that computes their operand, where nobody
/// else reads it: they then run on pieces that are still in cache. Keeps every bit.
void group_elementwise(Graph& graph, CpuLevel level);

/// Row-wise kernels (norms, softmax, reductions of the last axes) and elementwise nodes before and
/// behind them come to stand side by side, marked to run block of rows by block of rows
/// (Node::rows_with_next). Done last. Keeps every bit.
void join_rows(Graph& graph);

/// Rewrites all extents for a narrower box: entries that it fixes become numbers, and what its
/// intervals decide is decided. The graph gets an expression pool of its own.
void specialise(Graph& graph, const shapes::Box& box);

}  // namespace pliant::plan
