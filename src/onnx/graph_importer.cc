#include "onnx/graph_importer.h"

#include <string_view>
#include <utility>

#include "onnx/converters.h"
#include "onnx/node.h"
#include "onnx/operator_survey.h"

namespace pliant::onnx {
namespace {

/// Functions may call functions this deep.
constexpr int kMaxDepth = 64;
/// Calls multiply: a file of a few hundred bytes could ask for more instructions than memory holds.
constexpr std::int64_t kMaxInlinedNodes = 250'000;
/// From this version of the format on, an initialiser that is also an input may be overridden.
constexpr std::int64_t kFirstVersionWithDefaults = 4;

bool may_override_initialisers(const proto::Model& model) {
  return !model.has_ir_version() || model.ir_version() >= kFirstVersionWithDefaults;
}

/// Names that somebody reads: results that nobody does are not computed where that costs extra.
std::unordered_set<std::string_view> read_names(const NodeList& nodes) {
  std::unordered_set<std::string_view> names;
  for (const proto::Node& node : nodes) {
    names.insert(node.input().begin(), node.input().end());
  }
  return names;
}

Status check_default(const InputDeclaration& declaration, const TensorView& value) {
  bool fits = declaration.dtype == value.dtype;
  if (declaration.rank_known) {
    fits = fits && declaration.shape.size() == value.shape.size();
    for (std::size_t i = 0; fits && i < value.shape.size(); ++i) {
      fits = declaration.shape[i].kind != InputExtent::Kind::kNumber ||
             declaration.shape[i].value == value.shape[i];
    }
  }
  if (!fits) {
    return make_error(ErrorCode::kCorrupt,
                      "an initialiser does not fit the input of its name: {} {}", name(value.dtype),
                      to_string(value.shape));
  }
  return {};
}

Error at_input(Error error, const std::string& name) {
  if (error.where.empty()) {
    error.where = fmt::format("input '{}'", name);
  }
  return error;
}

}  // namespace

GraphImporter::GraphImporter(proto::Model& model, FunctionLibrary functions, ExternalData external,
                             std::string source)
    : model_(model),
      functions_(std::move(functions)),
      operator_sets_(model.opset_import()),
      tensors_(std::move(external)),
      emitter_(std::move(source)) {
  graph_.operator_sets = &operator_sets_;
}

Result<Program> GraphImporter::run() {
  PLIANT_RETURN_IF_ERROR(survey_operators(model_, functions_));
  PLIANT_RETURN_IF_ERROR(collect_initialisers());
  PLIANT_RETURN_IF_ERROR(add_inputs());
  auto reads = read_names(model_.graph().node());
  for (const proto::ValueInfo& output : model_.graph().output()) {
    reads.insert(output.name());
  }
  graph_.reads = &reads;
  PLIANT_RETURN_IF_ERROR(add_nodes(graph_, *model_.mutable_graph()->mutable_node()));
  PLIANT_RETURN_IF_ERROR(add_outputs());
  return emitter_.take();
}

Status GraphImporter::collect_initialisers() {
  for (const proto::SparseTensor& tensor : model_.graph().sparse_initializer()) {
    return make_error(ErrorCode::kUnsupported, "sparse initialisers are not supported: '{}'",
                      tensor.values().name());
  }
  for (proto::Tensor& tensor : *model_.mutable_graph()->mutable_initializer()) {
    if (!graph_.initialisers.emplace(tensor.name(), &tensor).second) {
      return make_error(ErrorCode::kCorrupt, "two initialisers have one name: '{}'", tensor.name());
    }
  }
  return {};
}

Status GraphImporter::add_inputs() {
  for (const proto::ValueInfo& info : model_.graph().input()) {
    for (const proto::Dimension& dimension : info.type().tensor_type().shape().dim()) {
      symbol_names_.insert(dimension.dim_param());
    }
  }
  for (const proto::ValueInfo& info : model_.graph().input()) {
    if (Status status = add_input(info); !status) {
      return at_input(std::move(status.error()), info.name());
    }
  }
  return {};
}

Status GraphImporter::add_input(const proto::ValueInfo& info) {
  const auto initialiser = graph_.initialisers.find(info.name());
  if (initialiser != graph_.initialisers.end() && !may_override_initialisers(model_)) {
    return {};
  }
  if (graph_.values.contains(info.name())) {
    return make_error(ErrorCode::kCorrupt, "two inputs have one name");
  }
  PLIANT_ASSIGN_OR_RETURN(InputDeclaration declaration, declare(info));
  if (initialiser != graph_.initialisers.end()) {
    PLIANT_ASSIGN_OR_RETURN(StoredTensor value, tensors_.read(*initialiser->second));
    PLIANT_RETURN_IF_ERROR(check_default(declaration, value.view));
    declaration.default_constant = emitter_.add_constant(info.name(), std::move(value));
    graph_.initialisers.erase(initialiser);
  }
  graph_.values.emplace(info.name(), emitter_.add_input(std::move(declaration)));
  return {};
}

std::string GraphImporter::unused_symbol(const std::string& input, int axis) const {
  std::string name = fmt::format("{}.{}", input, axis);
  while (symbol_names_.contains(name)) {
    name += '_';
  }
  return name;
}

Result<InputDeclaration> GraphImporter::declare(const proto::ValueInfo& info) {
  if (!info.type().has_tensor_type()) {
    return make_error(ErrorCode::kUnsupported, "only tensors are supported as inputs");
  }
  const proto::TensorType& type = info.type().tensor_type();
  InputDeclaration declaration;
  declaration.name = info.name();
  PLIANT_ASSIGN_OR_RETURN(declaration.dtype, read_element_type(type.elem_type()));
  declaration.rank_known = type.has_shape();
  if (static_cast<std::size_t>(type.shape().dim_size()) > kMaxRank) {
    return make_error(ErrorCode::kUnsupported, "a tensor has more than {} axes: {}", kMaxRank,
                      type.shape().dim_size());
  }
  for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
    const proto::Dimension& dimension = type.shape().dim(axis);
    if (dimension.has_dim_value() && dimension.dim_value() >= 0) {
      declaration.shape.push_back({InputExtent::Kind::kNumber, dimension.dim_value()});
      continue;
    }
    const std::string symbol =
        dimension.dim_param().empty() ? unused_symbol(info.name(), axis) : dimension.dim_param();
    declaration.shape.push_back({InputExtent::Kind::kSymbol, emitter_.symbol(symbol)});
  }
  return declaration;
}

Status GraphImporter::add_nodes(Scope& scope, NodeList& nodes) {
  PLIANT_ASSIGN_OR_RETURN(const std::vector<int> order, order_nodes(nodes));
  for (const int index : order) {
    PLIANT_RETURN_IF_ERROR(add_node(scope, *nodes.Mutable(index)));
  }
  return {};
}

Status GraphImporter::add_node(Scope& scope, proto::Node& node) {
  const std::string place = scope.place + describe(node);
  Status status;
  if (const Function* function = functions_.find(node)) {
    status = call_function(scope, node, *function);
  } else {
    status = convert_node(scope, node);
  }
  if (!status && status.error().where.empty()) {
    status.error().where = place;
  }
  return status;
}

Result<Operand> GraphImporter::find_value(Scope& scope, const std::string& name) {
  if (const auto found = scope.values.find(name); found != scope.values.end()) {
    return found->second;
  }
  const auto initialiser = scope.initialisers.find(name);
  if (initialiser == scope.initialisers.end()) {
    return make_error(ErrorCode::kCorrupt, "no input, initialiser or node gives the value '{}'",
                      name);
  }
  PLIANT_ASSIGN_OR_RETURN(StoredTensor tensor, tensors_.read(*initialiser->second));
  const Operand value = isa::constant(emitter_.add_constant(name, std::move(tensor)));
  scope.values.emplace(name, value);
  return value;
}

Result<std::vector<Operand>> GraphImporter::find_inputs(Scope& scope, const proto::Node& node) {
  std::vector<Operand> inputs;
  for (const std::string& name : node.input()) {
    if (name.empty()) {
      inputs.emplace_back();
      continue;
    }
    PLIANT_ASSIGN_OR_RETURN(Operand value, find_value(scope, name));
    inputs.push_back(std::move(value));
  }
  return inputs;
}

Status GraphImporter::define(Scope& scope, const std::string& name, const Operand& value) {
  if (scope.initialisers.contains(name) || !scope.values.emplace(name, value).second) {
    return make_error(ErrorCode::kCorrupt, "a node writes a name that is taken: '{}'", name);
  }
  return {};
}

Status GraphImporter::convert_node(Scope& scope, proto::Node& node) {
  const std::int64_t opset = scope.operator_sets->version(node.domain());
  const OperatorRow* row = find_operator(node.domain(), node.op_type(), opset);
  if (row == nullptr) {
    return make_error(ErrorCode::kUnsupported, "operator is not supported: {}", node.op_type());
  }
  emitter_.set_origin(scope.place + describe(node));
  PLIANT_ASSIGN_OR_RETURN(std::vector<Operand> inputs, find_inputs(scope, node));
  std::vector<bool> wanted;
  for (const std::string& name : node.output()) {
    wanted.push_back(!name.empty() && scope.reads->contains(name));
  }
  Node view(node.op_type(), opset, std::move(inputs), std::move(wanted),
            Attributes(node, scope.attributes, tensors_), emitter_);
  row->convert(view, row->opcode);
  PLIANT_RETURN_IF_ERROR(emitter_.status());
  for (int i = 0; i < node.output_size(); ++i) {
    if (!view.wants_output(i)) {
      continue;
    }
    const Operand& value = view.results()[static_cast<std::size_t>(i)];
    if (!value.given()) {
      return make_error(ErrorCode::kUnsupported, "{}: output number {} is not supported",
                        node.op_type(), i);
    }
    PLIANT_RETURN_IF_ERROR(define(scope, node.output(i), value));
  }
  return {};
}

Status GraphImporter::call_function(Scope& scope, proto::Node& node, const Function& function) {
  proto::Function& body = *function.definition;
  if (scope.depth == kMaxDepth) {
    return make_error(ErrorCode::kResourceExhausted, "functions call each other more than {} deep",
                      kMaxDepth);
  }
  inlined_nodes_ += body.node_size();
  if (inlined_nodes_ > kMaxInlinedNodes) {
    return make_error(ErrorCode::kResourceExhausted, "functions expand to more than {} nodes",
                      kMaxInlinedNodes);
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<Operand> inputs, find_inputs(scope, node));
  const Attributes attributes(Attributes(node, scope.attributes, tensors_), body);
  auto reads = read_names(body.node());
  reads.insert(body.output().begin(), body.output().end());
  Scope inner;
  inner.operator_sets = &function.operator_sets;
  inner.attributes = &attributes;
  inner.reads = &reads;
  inner.place = fmt::format("{}{} / ", scope.place, describe(node));
  inner.depth = scope.depth + 1;
  for (int i = 0; i < body.input_size(); ++i) {
    // A missing optional input stays an absent operand, which the body's nodes pass on.
    const auto index = static_cast<std::size_t>(i);
    inner.values.emplace(body.input(i), index < inputs.size() ? inputs[index] : Operand{});
  }
  PLIANT_RETURN_IF_ERROR(add_nodes(inner, *body.mutable_node()));
  if (node.output_size() > body.output_size()) {
    return make_error(ErrorCode::kCorrupt, "a call has more outputs than its function: {} and {}",
                      node.output_size(), body.output_size());
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) {
      continue;
    }
    PLIANT_ASSIGN_OR_RETURN(const Operand value, find_value(inner, body.output(i)));
    PLIANT_RETURN_IF_ERROR(define(scope, node.output(i), value));
  }
  return {};
}

Status GraphImporter::add_outputs() {
  if (model_.graph().output_size() == 0) {
    return make_error(ErrorCode::kCorrupt, "the model has no outputs");
  }
  emitter_.set_origin("");
  std::unordered_set<std::string_view> names;
  for (const proto::ValueInfo& output : model_.graph().output()) {
    if (!names.insert(output.name()).second) {
      return make_error(ErrorCode::kCorrupt, "two outputs have one name: '{}'", output.name());
    }
    PLIANT_ASSIGN_OR_RETURN(const Operand value, find_value(graph_, output.name()));
    emitter_.add_output(output.name(), value);
  }
  return {};
}

}  // namespace pliant::onnx
