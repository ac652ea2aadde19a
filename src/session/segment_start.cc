#include "session/segment_start.h"

#include <algorithm>
#include <chrono>

#include "session/outer_registers.h"

namespace pliant::session {
SegmentStart::SegmentStart(const Program& program, const plan::RegisterUses& uses,
                           std::size_t first, std::size_t limit,
                           const plan::CompileOptions& options, const Planning& planning)
    : program_(program),
      uses_(uses),
      first_(first),
      limit_(limit),
      options_(options),
      planning_(planning),
      registers_(outer_registers(program, first, limit)) {
  std::erase_if(registers_, [&](int index) {
    return program.registers[static_cast<std::size_t>(index)].rank.has_value();
  });
  for (std::size_t i = first; i < limit; ++i) {
    for (const isa::Operand& operand : program.instructions[i].operands) {
      const auto index = static_cast<int>(operand.number);
      if (operand.form == isa::Form::kInput &&
          !program.inputs[static_cast<std::size_t>(index)].rank_known &&
          std::find(inputs_.begin(), inputs_.end(), index) == inputs_.end()) {
        inputs_.push_back(index);
      }
    }
  }
}

const SegmentVariant* SegmentStart::find(const interp::Execution& execution) const {
  const std::size_t count = count_.load(std::memory_order_acquire);  // what it counts is complete
  for (std::size_t i = 0; i < count; ++i) {
    if (matches(variants_[i].ranks, execution)) {
      return &variants_[i];
    }
  }
  return nullptr;
}

const SegmentVariant* SegmentStart::find(const Ranks& ranks) const {
  const std::size_t count = count_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    if (variants_[i].ranks == ranks) {
      return &variants_[i];
    }
  }
  return nullptr;
}

bool SegmentStart::matches(const Ranks& ranks, const interp::Execution& execution) const {
  std::size_t next = 0;
  for (const int index : inputs_) {
    if (execution.input(index).view.shape.size() != ranks[next++]) {
      return false;
    }
  }
  for (const int index : registers_) {
    if (execution.tensor(index).view.shape.size() != ranks[next++]) {
      return false;
    }
  }
  return true;
}

SegmentStart::Ranks SegmentStart::ranks_of(const interp::Execution& execution) const {
  Ranks ranks;
  for (const int index : inputs_) {
    ranks.push_back(execution.input(index).view.shape.size());
  }
  for (const int index : registers_) {
    ranks.push_back(execution.tensor(index).view.shape.size());
  }
  return ranks;
}

const SegmentVariant* SegmentStart::compile(const Ranks& ranks) {
  if (ranks.size() != inputs_.size() + registers_.size()) {
    return nullptr;
  }
  const std::lock_guard lock(compiling_);
  if (const SegmentVariant* const found = find(ranks)) {
    return found;
  }
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count == kMaxVariants) {
    return nullptr;
  }
  const CompileHistory::Time begin = std::chrono::steady_clock::now();
  plan::KnownRanks known = plan::declared_ranks(program_);
  std::size_t next = 0;
  for (const int index : inputs_) {
    known.inputs[static_cast<std::size_t>(index)] = ranks[next++];
  }
  for (const int index : registers_) {
    known.registers[static_cast<std::size_t>(index)] = ranks[next++];
  }
  const plan::Stretch stretch{program_, uses_, first_, limit_};
  SegmentVariant& variant = variants_[count];
  variant.ranks = ranks;
  variant.plans = std::make_unique<SegmentPlans>(
      plan::compile_segment(stretch, known, {}, options_), name_of(ranks), planning_);
  if (variant.plans->segment().compiled().graph.end_reason == plan::DeclineReason::kExactValue) {
    variant.exact = std::make_unique<ExactSegment>(stretch, std::move(known), options_,
                                                   name_of(ranks).append(kExactSuffix), planning_);
  }
  count_.store(count + 1, std::memory_order_release);
  planning_.history.note("segment " + name_of(ranks) + ", any size", "", begin);
  return &variant;
}

void SegmentStart::request(const interp::Execution& execution) {
  Ranks ranks = ranks_of(execution);
  {
    const std::lock_guard lock(requests_);
    if (requested_.size() == kMaxVariants ||
        std::find(requested_.begin(), requested_.end(), ranks) != requested_.end()) {
      return;
    }
    requested_.push_back(ranks);
  }
  if (!planning_.thread.submit([this, ranks] { compile(ranks); })) {
    const std::lock_guard lock(requests_);
    std::erase(requested_, ranks);
  }
}

std::vector<const SegmentVariant*> SegmentStart::variants() const {
  std::vector<const SegmentVariant*> variants;
  const std::size_t count = count_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    variants.push_back(&variants_[i]);
  }
  return variants;
}

std::string SegmentStart::name_of(const Ranks& ranks) const {
  std::string name = std::to_string(first_);
  char separator = '/';
  for (const std::size_t rank : ranks) {
    name += separator;
    name += std::to_string(rank);
    separator = ',';
  }
  return name;
}

}  // namespace pliant::session
