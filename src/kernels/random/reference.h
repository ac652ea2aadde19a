#pragma once

#include "kernels/random/random.h"

namespace pliant::kernels {

/// What random() does, by drawing one number of the stream after another.
void run_reference(const RandomArguments& arguments);

}  // namespace pliant::kernels
