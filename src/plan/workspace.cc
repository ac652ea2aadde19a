#include "plan/workspace.h"

#include <algorithm>

#include "base/result.h"

namespace pliant::plan {

Status Workspace::reserve(const Environment& environment, std::size_t bytes) {
  if (arena_bytes() >= bytes) {
    return {};
  }
  arena_.reset();
  forget_all();
  PLIANT_ASSIGN_OR_RETURN(arena_,
                          environment.pool.allocate(DType::kU8, static_cast<std::int64_t>(bytes)));
  return {};
}

void Workspace::note_need(std::size_t bytes) {
  constexpr int kRunsBeforeShrinking = 512;
  largest_need_ = std::max(largest_need_, bytes);
  if (++runs_since_ < kRunsBeforeShrinking) {
    return;
  }
  if (largest_need_ < arena_bytes() / 4) {
    arena_.reset();  // the next run takes what it needs
    forget_all();
  }
  largest_need_ = 0;
  runs_since_ = 0;
}

void Workspace::forget_all() {
  for (auto& [id, runs] : bound_) {
    runs.clear();
  }
}

std::size_t Workspace::bound_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, runs] : bound_) {
    bytes += runs.byte_size();
  }
  return bytes;
}

std::unique_ptr<Workspace> Workspaces::take() {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Workspace> workspace;
  if (idle_.empty()) {
    workspace = std::make_unique<Workspace>();
  } else {
    workspace = std::move(idle_.back());
    idle_.pop_back();
  }
  workspace->taken_at = first_forgotten_ + forgotten_.size();
  in_flight_.insert(workspace->taken_at);
  return workspace;
}

void Workspaces::give_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = workspace->taken_at - first_forgotten_; i < forgotten_.size(); ++i) {
    workspace->forget(forgotten_[i]);
  }
  in_flight_.erase(in_flight_.find(workspace->taken_at));
  shorten_forgotten();
  idle_.push_back(std::move(workspace));
}

void Workspaces::forget(std::uint64_t plan_id) {
  const std::lock_guard lock(mutex_);
  for (const auto& workspace : idle_) {
    workspace->forget(plan_id);
  }
  forgotten_.push_back(plan_id);
  shorten_forgotten();
}

void Workspaces::shorten_forgotten() {
  const std::uint64_t needed =
      in_flight_.empty() ? first_forgotten_ + forgotten_.size() : *in_flight_.begin();
  while (first_forgotten_ < needed) {
    forgotten_.pop_front();
    ++first_forgotten_;
  }
}

std::size_t Workspaces::trim() {
  std::vector<std::unique_ptr<Workspace>> dropped;
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(idle_);
  }
  std::size_t bytes = 0;
  for (const auto& workspace : dropped) {
    bytes += workspace->arena_bytes();
  }
  return bytes;
}

Workspaces::Statistics Workspaces::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics statistics;
  for (const auto& workspace : idle_) {
    statistics.arena_bytes += workspace->arena_bytes();
    statistics.bound_bytes += workspace->bound_bytes();
  }
  return statistics;
}

}  // namespace pliant::plan
