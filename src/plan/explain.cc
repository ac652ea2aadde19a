#include "plan/explain.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "bind/elementwise_group.h"
#include "plan/lay_out.h"
#include "plan/memory_map.h"
#include "plan/printer.h"
#include "plan/row_blocks.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

using bind::BindContextFiller;

/// "f32[4, 128]", and whether it is not row-major.
std::string describe(const TensorView& view) {
  return fmt::format("{}{}{}", name(view.dtype), to_string(view.shape),
                     view.is_contiguous() ? "" : " strided");
}

class Explainer {
 public:
  Explainer(const Plan& plan, const Environment& environment)
      : plan_(plan), environment_(environment), printed_(print_parts(plan)) {}

  std::string explain(const RunArguments& arguments) {
    for (const StoredTensor& tensor : arguments.live_ins) {
      live_ins_.push_back(tensor.view);
    }
    const DeclineReason reason =
        lay_out(plan_, arguments.signature, live_ins_, environment_, scratchpad_, run_, &calls_);
    if (reason != DeclineReason::kNone) {
      append("{}", print(plan_));
      append("at these sizes: {}\n", to_string(reason));
      return std::move(text_);
    }
    append("{}", printed_.head);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      step(static_cast<int>(i));
    }
    append("{}", printed_.tail);
    append("{}", memory_map(plan_, run_, scratchpad_, calls_, printed_.values));
    return std::move(text_);
  }

 private:
  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  /// A line about the step above it.
  template <class... Values>
  void note(fmt::format_string<Values...> format, Values&&... values) {
    text_ += "      ";
    append(format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  void step(int index) {
    const Step& step = plan_.steps[static_cast<std::size_t>(index)];
    append("{:4}  {}\n", index, printed_.steps[static_cast<std::size_t>(index)]);
    origin(step);
    shapes(step);
    if (step.is_view) {
      note("a view: nothing is computed");
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (calls_[i].step == index) {
        call(step, i);
      }
    }
    together(index);
  }

  /// At the first of steps that the compiler has joined: whether they run together at these sizes.
  void together(int first) {
    const auto with_next = [this](int index) {
      return index >= 0 && plan_.steps[static_cast<std::size_t>(index)].rows_with_next > 0;
    };
    if (!with_next(first) || with_next(first - 1)) {
      return;
    }
    int last = first;
    while (with_next(last)) {
      ++last;
    }
    for (const RowBlocks& blocks : run_.row_blocks) {
      if (calls_[blocks.first].step == first) {
        note("steps {} to {} run together, {} of {} rows at a time", first, last, blocks.block,
             blocks.rows);
        return;
      }
    }
    note("steps {} to {} run one after the other: {}", first, last,
         why_rows_run_apart(plan_, scratchpad_, run_, first));
  }

  void origin(const Step& step) {
    const std::string place = plan_.program->describe(step.origin);
    const isa::Opcode opcode = plan_.program->instructions[step.origin].opcode;
    if (opcode == step.instructions.front().instruction.opcode) {
      note("from {}", place);
    } else {
      note("rewritten: ends where {} does, {}", isa::info(opcode).mnemonic, place);
    }
  }

  void shapes(const Step& step) {
    std::string inputs;
    const bool has_kernel = step.op != nullptr;
    for (const StepInput& input :
         has_kernel ? step.instructions.front().inputs : step.group_inputs) {
      add(inputs, describe(input));
    }
    if (has_kernel && step.group) {
      for (std::size_t i = 1; i < step.group_inputs.size(); ++i) {
        add(inputs, describe(step.group_inputs[i]));
      }
    }
    std::string results;
    if (step.group) {
      for (const int value : step.group_results) {
        add(results, describe(value_of(value)));
      }
    } else {
      for (const StepOutput& output : step.instructions.front().outputs) {
        if (output.value >= 0) {
          add(results, describe(value_of(output.value)));
        }
      }
    }
    note("{} -> {}", inputs.empty() ? "nothing" : inputs, results.empty() ? "nothing" : results);
  }

  static void add(std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  }

  [[nodiscard]] TensorView value_of(int value) const { return scratchpad_.values.view(value); }
  [[nodiscard]] std::string describe(const StepInput& input) const {
    return input.value >= 0 ? plan::describe(value_of(input.value))
                            : fmt::format("i64 {}", input.size.value(run_.slots));
  }
  [[nodiscard]] static std::string describe(const TensorView& view) { return plan::describe(view); }

  void call(const Step& step, std::size_t index) {
    const BoundCall& call = run_.call_information[index];
    switch (call.origin.kind) {
      case CallOrigin::Kind::kCopy:
        note("copied to row-major memory: {}", describe(calls_[index].outputs[0]));
        break;
      case CallOrigin::Kind::kInstruction:
        kernel(step, index);
        break;
      case CallOrigin::Kind::kGroup:
        group(step, index);
        break;
    }
    if (call.scratch >= 0) {
      note("scratch {} bytes", run_.blocks[static_cast<std::size_t>(call.scratch)].bytes);
    }
  }

  void kernel(const Step& step, std::size_t index) {
    if (!run_.calls.has_work(index)) {
      note("nothing to do: the result is empty, or nobody reads it");
      return;
    }
    if (step.op->describe == nullptr) {
      return;
    }
    bind::BindContext& context = *calls_[index].context;
    bind::EpilogueRequest request;
    if (step.group) {
      const CallDetails& group = calls_[index + 1];
      request = {&*step.group, group.inputs, group.outputs};
      BindContextFiller(context).request_epilogue(request);
    }
    if (const std::string words = step.op->describe(context); !words.empty()) {
      note("kernel: {}", words);
    }
  }

  void group(const Step& step, std::size_t index) {
    const std::size_t members = step.instructions.size() - (step.op == nullptr ? 0 : 1);
    if (calls_[index].taken) {
      if (step.op->describe == nullptr) {
        note("the group of {} runs inside the kernel", members);
      }
      return;
    }
    if (!run_.calls.has_work(index)) {
      note("nothing to do: the result is empty");
      return;
    }
    note("{} elementwise instruction{} in one pass over memory{}", members, members == 1 ? "" : "s",
         step.op == nullptr ? "" : ", after the kernel");
  }

  const Plan& plan_;
  const Environment& environment_;
  const PrintedPlan printed_;
  std::string text_;
  Scratchpad scratchpad_;
  BoundRun run_;
  std::vector<TensorView> live_ins_;
  std::vector<CallDetails> calls_;  ///< by position in the call list
};

}  // namespace

std::string explain(const Plan& plan, const RunArguments& arguments,
                    const Environment& environment) {
  return Explainer(plan, environment).explain(arguments);
}

}  // namespace pliant::plan
