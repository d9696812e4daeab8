#include "report/entry_shape.h"

#include <algorithm>
#include <iterator>

namespace gvbind {

namespace {

using Check = bool (*)(const Report& value);

struct Member {
  std::string_view name;
  Check check;
  bool required = true;
};

bool is_text(const Report& value) { return value.is_string(); }
bool is_name(const Report& value) { return is_text(value) && value != ""; }
bool is_text_or_null(const Report& value) { return value.is_null() || is_text(value); }
bool is_boolean(const Report& value) { return value.is_boolean(); }
bool is_seconds(const Report& value) { return value.is_number() && value >= 0; }
bool is_count(const Report& value) { return value.is_number_integer() && value >= 0; }
bool is_exit_code(const Report& value) { return is_count(value) && value >= 1 && value <= 255; }

bool is_severity(const Report& value) {
  return is_text(value) && severity_of(value.get_ref<const std::string&>()).has_value();
}

bool is_status(const Report& value) {
  return value == "done" || value == "up-to-date" || value == "skipped" || value == "failed" ||
         value == "interrupted";
}

/// All that is required is there, and all that is there is known and right.
template <std::size_t N>
bool has_members(const Report& value, const Member (&members)[N]) {
  if (!value.is_object()) return false;
  for (const Member& member : members)
    if (member.required && !value.contains(std::string(member.name))) return false;
  for (const auto& [name, member_value] : value.items()) {
    const auto known = std::ranges::find(members, name, &Member::name);
    if (known == std::end(members) || !known->check(member_value)) return false;
  }
  return true;
}

bool is_list_of(const Report& value, Check check) {
  return value.is_array() && std::all_of(value.begin(), value.end(), check);
}

bool is_options(const Report& value) {
  return value.is_object() && std::all_of(value.begin(), value.end(), is_text);
}

bool is_finding(const Report& value) {
  return has_members(value, {{"severity", is_severity},
                             {"code", is_name},
                             {"message", is_text},
                             {"pointer", is_text, false}});
}

bool is_existing(const Report& value) {
  return value == "none" || value == "replaced" || value == "kept" || value == "filled";
}

bool is_mesh(const Report& value) {
  return has_members(value, {{"name", is_text},
                             {"vertices", is_count},
                             {"triangles", is_count},
                             {"bound", is_boolean},
                             {"existing", is_existing, false}});
}

bool is_joint(const Report& value) {
  return has_members(value, {{"name", is_text}, {"vertices", is_count, false}});
}

bool is_voxels(const Report& value) {
  return has_members(value, {{"interior", is_count},
                             {"boundary", is_count},
                             {"single_votes", is_count},
                             {"single_votes_interior", is_count},
                             {"sparse", is_count}});
}

bool is_stage(const Report& value) {
  return has_members(
      value, {{"name", is_text}, {"seconds", is_seconds, false}, {"peak_bytes", is_count, false}});
}

bool is_error(const Report& value) {
  return value.is_null() || has_members(value, {{"exit_code", is_exit_code}, {"message", is_text}});
}

bool is_figure(const Report& value) { return value.is_number() && value >= 0; }

bool is_verdict(const Report& value) {
  return value == "better" || value == "equal" || value == "worse";
}

bool are_texts(const Report& value) { return is_list_of(value, is_text); }

bool are_figures(const Report& value) {
  return has_members(value, {{"vertices_without_weight", is_count},
                             {"bleed", is_figure},
                             {"stretch", is_figure},
                             {"far_surface", is_figure},
                             {"far_joint", is_figure}});
}

bool is_comparison(const Report& value) {
  return has_members(value, {{"before", are_figures},
                             {"now", are_figures},
                             {"vertices", is_count},
                             {"changed", is_figure},
                             {"mean_l1", is_figure},
                             {"verdict", is_verdict},
                             {"worse_in", are_texts}});
}

bool is_skin(const Report& value) {
  return has_members(value, {{"vertices_without_weight", is_count},
                             {"bleed", is_figure},
                             {"stretch", is_figure},
                             {"far_surface", is_figure},
                             {"far_joint", is_figure},
                             {"comparison", is_comparison, false}});
}

bool are_findings(const Report& value) { return is_list_of(value, is_finding); }
bool are_meshes(const Report& value) { return is_list_of(value, is_mesh); }
bool are_joints(const Report& value) { return is_list_of(value, is_joint); }
bool are_stages(const Report& value) { return is_list_of(value, is_stage); }

constexpr Member entry_members[] = {{"name", is_name},
                                    {"input", is_text},
                                    {"output", is_text},
                                    {"status", is_status},
                                    {"seconds", is_seconds, false},
                                    {"skeleton", is_text_or_null},
                                    {"options", is_options},
                                    {"command", is_text},
                                    {"picture", is_text_or_null},
                                    {"key", is_text_or_null},
                                    {"device", is_text, false},
                                    {"resolution", is_count, false},
                                    {"meshes", are_meshes, false},
                                    {"joints", are_joints, false},
                                    {"voxels", is_voxels, false},
                                    {"unreached_vertices", is_count, false},
                                    {"existing", is_existing, false},
                                    {"filled_vertices", is_count, false},
                                    {"skin", is_skin, false},
                                    {"stages", are_stages, false},
                                    {"peak_bytes", is_count, false},
                                    {"findings", are_findings},
                                    {"error", is_error},
                                    {"stderr", is_text, false}};

}  // namespace

bool has_entry_shape(const Report& entry) {
  if (!has_members(entry, entry_members)) return false;
  const Report& status = entry.at("status");
  if (status == "failed") return entry.at("error").is_object();
  return (status != "done" && status != "up-to-date") || entry.at("error").is_null();
}

}  // namespace gvbind
