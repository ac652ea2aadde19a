#include "session/compile_thread.h"

#include <system_error>
#include <utility>

namespace pliant::session {

CompileThread::~CompileThread() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

bool CompileThread::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) {
      try {
        thread_ = std::thread([this] { work(); });
      } catch (const std::system_error&) {
        return false;
      }
    }
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
  return true;
}

void CompileThread::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return tasks_.empty() && !is_running_; });
}

std::size_t CompileThread::pending() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size() + (is_running_ ? 1 : 0);
}

void CompileThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !tasks_.empty() || is_ending_; });
    if (is_ending_) {
      return;
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    is_running_ = true;
    lock.unlock();
    try {
      task();
    } catch (...) {
      // Whoever submitted it accounts for what went wrong; others still want to be compiled.
    }
    task = nullptr;
    lock.lock();
    is_running_ = false;
    changed_.notify_all();
  }
}

}  // namespace pliant::session
