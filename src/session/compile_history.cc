#include "session/compile_history.h"

#include <utility>

namespace pliant::session {

void CompileHistory::note(std::string what, std::string outcome, Time begin) {
  const Time end = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (compiles_.size() == kMost) {
    compiles_.pop_front();
  }
  compiles_.push_back(
      {std::move(what), std::move(outcome), begin, end, std::this_thread::get_id()});
}

std::vector<CompileHistory::Compile> CompileHistory::ended_since(Time time) const {
  std::vector<Compile> found;
  const std::lock_guard lock(mutex_);
  for (const Compile& compile : compiles_) {
    if (compile.end >= time) {
      found.push_back(compile);
    }
  }
  return found;
}

}  // namespace pliant::session
