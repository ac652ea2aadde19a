#include "session/input_binder.h"

#include <fmt/format.h>

#include "base/result.h"
#include "session/borrowed_storage.h"
#include "tensor/dtype.h"

namespace pliant::session {

InputBinder::InputBinder(const Program& program) : program_(program) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    by_name_.emplace(program.inputs[i].name, i);
  }
}

Result<BoundInputs> InputBinder::bind(std::span<const NamedTensor> inputs) const {
  PLIANT_ASSIGN_OR_RETURN(const std::vector<const Tensor*> given, match(inputs));
  BoundInputs bound;
  bound.tensors.reserve(given.size());
  std::vector<SymbolBinding> symbols(program_.symbols.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const InputDeclaration& declaration = program_.inputs[i];
    if (given[i] == nullptr) {
      const auto constant = static_cast<std::size_t>(*declaration.default_constant);
      bound.tensors.push_back(program_.constants[constant].value);
    } else {
      if (given[i]->dtype() != declaration.dtype) {
        return make_error(ErrorCode::kInvalidArgument,
                          "input '{}' has the wrong element type: declared {}, given {}",
                          declaration.name, name(declaration.dtype), name(given[i]->dtype()));
      }
      PLIANT_ASSIGN_OR_RETURN(StoredTensor tensor, borrow_tensor(*given[i]));
      bound.tensors.push_back(std::move(tensor));
    }
    PLIANT_RETURN_IF_ERROR(bind_extents(i, bound.tensors[i].view.shape, symbols));
  }
  bound.symbols.reserve(symbols.size());
  for (const SymbolBinding& symbol : symbols) {
    bound.symbols.push_back(symbol.value);
  }
  return bound;
}

Result<std::vector<const Tensor*>> InputBinder::match(std::span<const NamedTensor> inputs) const {
  std::vector<const Tensor*> given(program_.inputs.size(), nullptr);
  for (const NamedTensor& input : inputs) {
    const auto found = by_name_.find(input.name);
    if (found == by_name_.end()) {
      return make_error(ErrorCode::kInvalidArgument, "unknown input '{}'; {}", input.name,
                        describe_all());
    }
    if (given[found->second] != nullptr) {
      return make_error(ErrorCode::kInvalidArgument, "input '{}' is given twice; {}", input.name,
                        describe_all());
    }
    given[found->second] = &input.value;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == nullptr && !program_.inputs[i].default_constant) {
      return make_error(ErrorCode::kInvalidArgument, "input '{}' is missing; {}",
                        program_.inputs[i].name, describe_all());
    }
  }
  return given;
}

Status InputBinder::bind_extents(std::size_t index, const Shape& shape,
                                 std::vector<SymbolBinding>& symbols) const {
  const InputDeclaration& declaration = program_.inputs[index];
  if (!declaration.rank_known) {
    return {};
  }
  if (shape.size() != declaration.shape.size()) {
    return make_error(ErrorCode::kShapeMismatch,
                      "input '{}' has the wrong number of axes: declared {}, given {}{}",
                      declaration.name, describe(index), name(declaration.dtype), to_string(shape));
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const InputExtent& extent = declaration.shape[axis];
    if (extent.kind == InputExtent::Kind::kNumber) {
      if (extent.value != shape[axis]) {
        return make_error(ErrorCode::kShapeMismatch,
                          "axis {} of input '{}' has the wrong extent: declared {}, given {}", axis,
                          declaration.name, extent.value, shape[axis]);
      }
      continue;
    }
    SymbolBinding& symbol = symbols[static_cast<std::size_t>(extent.value)];
    if (symbol.input < 0) {
      symbol = {static_cast<int>(index), axis, shape[axis]};
    } else if (symbol.value != shape[axis]) {
      return make_error(
          ErrorCode::kShapeMismatch,
          "symbol '{}' has two values: {} (axis {} of input '{}') and {} (axis {} of input '{}')",
          program_.symbols[static_cast<std::size_t>(extent.value)], symbol.value, symbol.axis,
          program_.inputs[static_cast<std::size_t>(symbol.input)].name, shape[axis], axis,
          declaration.name);
    }
  }
  return {};
}

std::string InputBinder::describe(std::size_t index) const {
  const InputDeclaration& declaration = program_.inputs[index];
  if (!declaration.rank_known) {
    return fmt::format("{}[...]", name(declaration.dtype));
  }
  std::string text = fmt::format("{}[", name(declaration.dtype));
  const char* separator = "";
  for (const InputExtent& extent : declaration.shape) {
    text += separator;
    text += extent.kind == InputExtent::Kind::kNumber
                ? std::to_string(extent.value)
                : program_.symbols[static_cast<std::size_t>(extent.value)];
    separator = ", ";
  }
  return text + "]";
}

std::string InputBinder::describe_all() const {
  constexpr std::size_t kMaxListed = 24;
  const std::size_t count = program_.inputs.size();
  if (count == 0) {
    return "the model has no inputs";
  }
  std::string text = "the model has";
  for (std::size_t i = 0; i < count && i < kMaxListed; ++i) {
    text += fmt::format("{} '{}' {}{}", i == 0 ? "" : ",", program_.inputs[i].name, describe(i),
                        program_.inputs[i].default_constant ? " (optional)" : "");
  }
  if (count > kMaxListed) {
    text += fmt::format(" and {} more", count - kMaxListed);
  }
  return text;
}

}  // namespace pliant::session
