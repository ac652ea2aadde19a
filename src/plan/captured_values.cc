#include "plan/captured_values.h"

#include <algorithm>
#include <utility>

#include "plan/graph_facts.h"
#include "semantics/element_rules.h"
#include "tensor/dtype.h"

namespace pliant::plan {

using semantics::Extent;
using semantics::ExtentList;
using semantics::TensorFacts;

CapturedValues::CapturedValues(const Program& program, const KnownRanks& ranks,
                               std::span<const ExactValue> exact, Graph& graph)
    : program_(program),
      ranks_(ranks),
      exact_(exact),
      graph_(graph),
      registers_(program.registers.size(), -1),
      sizes_(program.registers.size()),
      symbols_(program.symbols.size()),
      inputs_(program.inputs.size(), -1),
      constants_(program.constants.size(), -1) {
  graph_.pool = std::make_shared<semantics::ExpressionPool>();
}

int CapturedValues::add(Value value) {
  graph_.values.push_back(std::move(value));
  return static_cast<int>(graph_.values.size()) - 1;
}

int CapturedValues::tensor_register(std::int64_t number) {
  const auto index = static_cast<std::size_t>(number);
  if (registers_[index] < 0) {
    const auto rank = ranks_.registers[index];
    if (!rank || !program_.registers[index].dtype) {
      return -1;
    }
    TensorFacts facts;
    facts.dtype = *program_.registers[index].dtype;
    facts.rank_known = true;
    registers_[index] = live_in({LiveIn::Kind::kRegister, static_cast<int>(number)}, facts, *rank,
                                "r" + std::to_string(number));
  }
  return registers_[index];
}

int CapturedValues::program_input(std::int64_t number) {
  const auto index = static_cast<std::size_t>(number);
  if (inputs_[index] >= 0) {
    return inputs_[index];
  }
  const InputDeclaration& declaration = program_.inputs[index];
  TensorFacts facts;
  facts.dtype = declaration.dtype;
  facts.rank_known = true;
  const LiveIn source{LiveIn::Kind::kProgramInput, static_cast<int>(number)};
  if (!declaration.rank_known) {
    if (!ranks_.inputs[index]) {
      return -1;
    }
    return inputs_[index] = live_in(source, facts, *ranks_.inputs[index], declaration.name);
  }
  for (const InputExtent& extent : declaration.shape) {
    facts.shape.push_back(extent.kind == InputExtent::Kind::kNumber ? Extent(extent.value)
                                                                    : program_symbol(extent.value));
  }
  const int value = add(
      {Value::Kind::kLiveIn, static_cast<int>(graph_.live_ins.size()), false, facts, std::nullopt});
  graph_.live_ins.push_back(source);
  inputs_[index] = value;
  add_element_entries(value, declaration.name);
  return value;
}

/// A live-in all of whose extents are entries of their own.
int CapturedValues::live_in(const LiveIn& source, TensorFacts facts, std::size_t rank,
                            const std::string& name) {
  const int position = static_cast<int>(graph_.live_ins.size());
  graph_.live_ins.push_back(source);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    facts.shape.push_back(new_entry(name + ".dim(" + std::to_string(axis) + ")",
                                    shapes::Entry::Kind::kExtent,
                                    {EntrySource::Kind::kAxis, position, static_cast<int>(axis)}));
  }
  const int value = add({Value::Kind::kLiveIn, position, false, facts, std::nullopt});
  add_element_entries(value, name);
  return value;
}

/// Small integer inputs whose extents are numbers: their elements may be sizes.
void CapturedValues::add_element_entries(int value, const std::string& name) {
  Value& input = graph_.values[static_cast<std::size_t>(value)];
  if (!is_integer(input.facts.dtype) || input.facts.dtype == DType::kU64) {
    return;
  }
  std::int64_t count = 1;
  for (const Extent& extent : input.facts.shape) {
    if (!extent.is_number() || extent.number() > semantics::kMaxKnownElements) {
      return;
    }
    count *= extent.number();
    if (count > semantics::kMaxKnownElements) {
      return;
    }
  }
  ExtentList elements;
  for (std::int64_t i = 0; i < count; ++i) {
    elements.push_back(new_entry(name + "[" + std::to_string(i) + "]",
                                 shapes::Entry::Kind::kElement,
                                 {EntrySource::Kind::kElement, input.index, static_cast<int>(i)}));
  }
  graph_.values[static_cast<std::size_t>(value)].elements = std::move(elements);
}

Extent CapturedValues::new_entry(std::string name, shapes::Entry::Kind kind,
                                 const EntrySource& source) {
  const Extent symbol = kind == shapes::Entry::Kind::kExtent ? graph_.pool->new_symbol(name)
                                                             : graph_.pool->new_value_symbol(name);
  shapes::Entry entry;
  entry.name = std::move(name);
  entry.kind = kind;
  const EntryKey key = key_of(source, graph_.live_ins);
  const auto given = std::find_if(exact_.begin(), exact_.end(),
                                  [&](const ExactValue& value) { return value.entry == key; });
  entry.always_exact = given != exact_.end();
  graph_.entries.push_back(std::move(entry));
  graph_.entry_sources.push_back(source);
  graph_.entry_symbols.push_back(symbol.expression()->symbol);
  return given == exact_.end() ? symbol : Extent(given->value);
}

Extent CapturedValues::program_symbol(std::int64_t number) {
  auto& symbol = symbols_[static_cast<std::size_t>(number)];
  if (!symbol) {
    symbol =
        new_entry(program_.symbols[static_cast<std::size_t>(number)], shapes::Entry::Kind::kExtent,
                  {EntrySource::Kind::kSymbol, static_cast<int>(number), 0});
  }
  return *symbol;
}

Extent CapturedValues::size_register(std::int64_t number) {
  auto& size = sizes_[static_cast<std::size_t>(number)];
  if (!size) {
    size = new_entry("r" + std::to_string(number), shapes::Entry::Kind::kElement,
                     {EntrySource::Kind::kSize, static_cast<int>(number), 0});
  }
  return *size;
}

int CapturedValues::program_constant(std::int64_t number) {
  int& value = constants_[static_cast<std::size_t>(number)];
  if (value < 0) {
    value = add_constant(program_.constants[static_cast<std::size_t>(number)].value);
  }
  return value;
}

int CapturedValues::add_constant(const StoredTensor& tensor) {
  graph_.constants.push_back(tensor);
  return add({Value::Kind::kConstant, static_cast<int>(graph_.constants.size()) - 1, false,
              semantics::facts_of(tensor.view), constant_elements(tensor.view)});
}

int CapturedValues::extent_index(const Extent& extent) {
  const auto found = std::find(graph_.extents.begin(), graph_.extents.end(), extent);
  if (found != graph_.extents.end()) {
    return static_cast<int>(found - graph_.extents.begin());
  }
  graph_.extents.push_back(extent);
  return static_cast<int>(graph_.extents.size()) - 1;
}

}  // namespace pliant::plan
