#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace pliant::session {

/// One thread that works off tasks in order. It starts with the first task, so a session that never
/// compiles has none, and ends in the destructor, which waits for the task that is running and drops
/// those that wait. A child after fork() starts a thread of its own, without the tasks of its
/// parent. Thread-safe.
class CompileThread {
 public:
  using Task = std::function<void()>;

  CompileThread();
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
  struct Worker;
  /// The worker of this process.
  [[nodiscard]] Worker& worker() const;

  mutable std::atomic<Worker*> worker_;
};

}  // namespace pliant::session
