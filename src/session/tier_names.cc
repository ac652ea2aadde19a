#include <array>

#include <pliant/plan_options.h>

namespace pliant {
namespace {

struct TierName {
  Tier tier;
  const char* name;
};
constexpr std::array kTierNames = {
    TierName{Tier::kAuto, "auto"},   TierName{Tier::kInterpreter, "interpreter"},
    TierName{Tier::kAny, "any"},     TierName{Tier::kBucketed, "bucketed"},
    TierName{Tier::kExact, "exact"},
};

}  // namespace

const char* tier_name(Tier tier) {
  for (const TierName& row : kTierNames) {
    if (row.tier == tier) {
      return row.name;
    }
  }
  return "";
}

std::optional<Tier> tier_from_name(std::string_view name) {
  for (const TierName& row : kTierNames) {
    if (row.name == name) {
      return row.tier;
    }
  }
  return std::nullopt;
}

}  // namespace pliant
