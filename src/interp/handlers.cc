#include "interp/handlers.h"

#include "isa/info.h"

namespace pliant::interp {

// Which handler serves a row is said by the Class column.
#define PLIANT_HANDLER_Data(Name) &execute_data<isa::Name>
#define PLIANT_HANDLER_Control(Name) &execute_control<isa::Name>
#define PLIANT_HANDLER_Size(Name) &execute_size
#define PLIANT_HANDLER_View(Name) &execute_view
#define PLIANT_HANDLER_Compute(Name) &execute_compute

// The specialisations are elsewhere; without these lines the generic template would be asked for.
#define PLIANT_DECLARE_Data(Name) \
  template <>                     \
  Status execute_data<isa::Name>(Run&, const Step&);
#define PLIANT_DECLARE_Control(Name) \
  template <>                        \
  Status execute_control<isa::Name>(Run&, const Step&);
#define PLIANT_DECLARE_Size(Name)
#define PLIANT_DECLARE_View(Name)
#define PLIANT_DECLARE_Compute(Name)
#define INSTRUCTION(Name, mnemonic, code, Class, ...) PLIANT_DECLARE_##Class(Name)
#include "isa/instructions.def"

Handler handler_of(isa::Opcode opcode) {
  static constexpr Handler kHandlers[] = {
#define INSTRUCTION(Name, mnemonic, code, Class, ...) PLIANT_HANDLER_##Class(Name),
#include "isa/instructions.def"
  };
  return kHandlers[isa::row_of(opcode)];
}

}  // namespace pliant::interp
