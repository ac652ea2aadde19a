#include "session/compile_thread.h"

#include <sys/types.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace pliant::session {

struct CompileThread::Worker {
  void work();

  const pid_t process = getpid();
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> tasks;   // guarded by mutex
  bool is_running = false;  // guarded by mutex: a task
  bool is_ending = false;   // guarded by mutex
  std::thread thread;       // guarded by mutex until the destructor
};

CompileThread::CompileThread() : worker_(new Worker) {}

CompileThread::~CompileThread() {
  const std::unique_ptr<Worker> mine(&worker());
  {
    const std::lock_guard lock(mine->mutex);
    mine->is_ending = true;
    mine->tasks.clear();
  }
  mine->changed.notify_all();
  if (mine->thread.joinable()) {
    mine->thread.join();
  }
}

CompileThread::Worker& CompileThread::worker() const {
  Worker* known = worker_.load(std::memory_order_acquire);
  if (known->process != getpid()) {
    // After fork(): the thread is not in this process, and may have held the mutex. What is the
    // parent's is left as it is, never to be touched again.
    auto fresh = std::make_unique<Worker>();
    if (worker_.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) {
      known = fresh.release();
    }
  }
  return *known;
}

bool CompileThread::submit(Task task) {
  Worker& mine = worker();
  {
    const std::lock_guard lock(mine.mutex);
    if (!mine.thread.joinable()) {
      try {
        mine.thread = std::thread([&mine] { mine.work(); });
      } catch (const std::system_error&) {
        return false;
      }
    }
    mine.tasks.push_back(std::move(task));
  }
  mine.changed.notify_all();
  return true;
}

void CompileThread::finish() {
  Worker& mine = worker();
  std::unique_lock lock(mine.mutex);
  mine.changed.wait(lock, [&mine] { return mine.tasks.empty() && !mine.is_running; });
}

std::size_t CompileThread::pending() const {
  const Worker& mine = worker();
  const std::lock_guard lock(mine.mutex);
  return mine.tasks.size() + (mine.is_running ? 1 : 0);
}

void CompileThread::Worker::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return !tasks.empty() || is_ending; });
    if (is_ending) {
      return;
    }
    Task task = std::move(tasks.front());
    tasks.pop_front();
    is_running = true;
    lock.unlock();
    try {
      task();
    } catch (...) {
      // Whoever submitted it accounts for what went wrong; others still want to be compiled.
    }
    task = nullptr;
    lock.lock();
    is_running = false;
    changed.notify_all();
  }
}

}  // namespace pliant::session
