#include "shapes/json_string.h"

#include "shapes/bounded_json.h"

namespace pliant::shapes {

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace pliant::shapes
