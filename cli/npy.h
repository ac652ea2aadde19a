#pragma once

#include <string>

#include <pliant/result.h>
#include <pliant/tensor.h>

namespace pliant::cli {

/// Reads a NumPy .npy file, versions 1 to 3.
///
/// Types:  the element types of Pliant in little-endian order; bf16, which NumPy lacks, is "V2". A
///         bool is true for any byte but 0. Arrays in Fortran order are brought into row-major
///         order.
/// Errors: kIo; kCorrupt for a file that is not .npy, or too short or too long for its header;
///         kUnsupported for other types (strings, objects, records, complex, big-endian) and more
///         than 8 axes. Memory is taken only for elements that the file really has.
[[nodiscard]] Result<Tensor> read_npy(const std::string& path);

/// Writes a .npy file of version 1 in row-major order, replacing an existing one. Errors: kIo; then
/// an existing file stays as it was.
[[nodiscard]] Status write_npy(const std::string& path, const Tensor& tensor);

}  // namespace pliant::cli
