#include "session/run_values.h"

#include "semantics/element_rules.h"
#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::session {

RunValues::RunValues(const Program& program, const interp::Execution& execution)
    : elements_(program.inputs.size()) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const TensorView& view = execution.input(static_cast<int>(i)).view;
    shapes_.push_back(view.shape);
    if (is_integer(view.dtype) && view.element_count() <= semantics::kMaxKnownElements) {
      for_each_integer(view, [&](std::int64_t value) { elements_[i].push_back(value); });
    }
  }
  for (std::size_t i = 0; i < program.symbols.size(); ++i) {
    symbols_.push_back(execution.symbol(static_cast<int>(i)));
  }
}

std::optional<std::int64_t> RunValues::of(const plan::EntryKey& entry) const {
  using Kind = plan::EntrySource::Kind;
  const auto input = static_cast<std::size_t>(entry.live_in.index);
  const auto position = static_cast<std::size_t>(entry.source.position);
  switch (entry.source.kind) {
    case Kind::kSymbol:
      return symbols_[static_cast<std::size_t>(entry.source.index)];
    case Kind::kAxis:
      return shapes_[input][position];
    case Kind::kElement:
      if (position < elements_[input].size()) {
        return elements_[input][position];
      }
      break;  // a tensor of another shape may have fewer
    case Kind::kSize:
      break;
  }
  return std::nullopt;
}

}  // namespace pliant::session
