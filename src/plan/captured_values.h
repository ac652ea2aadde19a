#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/capture.h"
#include "plan/graph.h"

namespace pliant::plan {

/// What registers, inputs, constants, symbols and sizes of a program are in the graph of a segment
/// that is being captured. They are added to the graph when they are first asked for.
class CapturedValues {
 public:
  /// All must outlive this. The graph gets an expression pool.
  CapturedValues(const Program& program, const KnownRanks& ranks, std::span<const ExactValue> exact,
                 Graph& graph);

  int add(Value value);

  /// The value of a tensor register: what an instruction of the segment wrote last, else a live-in;
  /// -1 when its rank is not known.
  int tensor_register(std::int64_t number);
  void set_register(std::int64_t number, int value) {
    registers_[static_cast<std::size_t>(number)] = value;
  }
  /// -1 when its rank is not known.
  int program_input(std::int64_t number);
  int program_constant(std::int64_t number);
  /// A 0-d constant.
  template <class T>
  int scalar(DType dtype, T number) {
    StoredTensor tensor = make_constant(dtype, {});
    *tensor.view.as<T>() = number;
    return add_constant(tensor);
  }

  semantics::Extent size_register(std::int64_t number);
  void set_size(std::int64_t number, const semantics::Extent& value) {
    sizes_[static_cast<std::size_t>(number)] = value;
  }
  semantics::Extent program_symbol(std::int64_t number);
  /// Its position in Graph::extents.
  int extent_index(const semantics::Extent& extent);

 private:
  int live_in(const LiveIn& source, semantics::TensorFacts facts, std::size_t rank,
              const std::string& name);
  void add_element_entries(int value, const std::string& name);
  /// A symbol of its own, or the number that it is in this graph.
  semantics::Extent new_entry(std::string name, shapes::Entry::Kind kind,
                              const EntrySource& source);
  int add_constant(const StoredTensor& tensor);

  const Program& program_;
  const KnownRanks& ranks_;
  const std::span<const ExactValue> exact_;
  Graph& graph_;
  std::vector<int> registers_;                             ///< by register, -1: not asked for yet
  std::vector<std::optional<semantics::Extent>> sizes_;    ///< by register
  std::vector<std::optional<semantics::Extent>> symbols_;  ///< by symbol
  std::vector<int> inputs_;                                ///< by input
  std::vector<int> constants_;                             ///< by constant
};

}  // namespace pliant::plan
