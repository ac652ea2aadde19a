#pragma once

#include "interp/prepared_program.h"

namespace pliant::interp {

// What executes the instructions of each class. Data and Control rows have one specialisation each
// (a row without one does not link); Size, View and Compute rows need no code of their own, their
// rule and operator say everything.
template <class Row>
Status execute_data(Run& run, const Step& step);
template <class Row>
Status execute_control(Run& run, const Step& step);
Status execute_size(Run& run, const Step& step);
Status execute_view(Run& run, const Step& step);
Status execute_compute(Run& run, const Step& step);

/// The handler of a row.
[[nodiscard]] Handler handler_of(isa::Opcode opcode);

}  // namespace pliant::interp
