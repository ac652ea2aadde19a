#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pliant::session {

/// One thread that works off tasks in order. It starts with the first task, so a session that never
/// compiles has none, and ends in the destructor, which waits for the task that is running and drops
/// those that wait. Thread-safe.
class CompileThread {
 public:
  using Task = std::function<void()>;

  CompileThread() = default;
  ~CompileThread();
  CompileThread(const CompileThread&) = delete;
  CompileThread& operator=(const CompileThread&) = delete;

  /// Never waits for a task. An exception that a task lets out ends this task alone. False when the
  /// system gives no thread; the task is dropped then.
  [[nodiscard]] bool submit(Task task);

  /// Returns when no task is waiting or running. Not to be called by a task.
  void finish();

  /// Tasks that wait or run.
  [[nodiscard]] std::size_t pending() const;

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;   // guarded by mutex_
  bool is_running_ = false;  // guarded by mutex_: a task
  bool is_ending_ = false;   // guarded by mutex_
  std::thread thread_;       // guarded by mutex_ until the destructor
};

}  // namespace pliant::session
