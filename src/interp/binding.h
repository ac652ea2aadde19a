#pragma once

#include <pliant/result.h>

#include "interp/frame.h"

namespace pliant::interp {

/// Fills the frame's BindContext with the operands of a tensor instruction.
Status gather_operands(Run& run, const Step& step);

/// Asks the rule for the results and adds them, without memory, to the frame's BindContext.
Status infer_results(Run& run, const Step& step);

/// Replaces a tensor operand of the frame's BindContext by a row-major copy. Copies of values that
/// never change are made once and kept with the packed forms.
Status make_contiguous(Run& run, bind::BindContext::Input& input);

}  // namespace pliant::interp
