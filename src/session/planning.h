#pragma once

#include <memory>

#include <pliant/plan_options.h>

#include "cache/plan_budget.h"
#include "plan/workspace.h"
#include "session/compile_history.h"
#include "session/compile_thread.h"
#include "session/event_log.h"
#include "session/self_check.h"

namespace pliant::session {

/// What the segments of a program share when they decide which plans to have.
struct Planning {
  const PlanOptions& options;
  EventLog& log;
  plan::Workspaces& workspaces;
  std::shared_ptr<cache::PlanBudget> budget;
  CompileThread& thread;
  CompileHistory& history;
  SelfCheck* self_check = nullptr;  ///< null: plans are not checked
};

}  // namespace pliant::session
