#pragma once

// The members of each struct of a report in the schema's order, used for writing, reading and
// replacing invalid UTF-8. Included by report_json.cpp alone.
//
// Tested by tests/unit/report/report_json_test.cpp.

#include <optional>
#include <tuple>
#include <vector>

#include "report/batch_report.h"

namespace gvbind {

/// How to write and read a member that has no value.
enum class Absent { never, left_out, null, read_as_default };

template <typename Class, typename Value>
struct Member {
  const char* name;
  Value Class::*value;
  Absent absent;
};

template <typename Value>
constexpr bool is_optional = false;
template <typename Value>
constexpr bool is_optional<std::optional<Value>> = true;

template <typename Value>
constexpr bool is_list = false;
template <typename Value>
constexpr bool is_list<std::vector<Value>> = true;

template <typename Class, typename Value>
constexpr auto member(const char* name, Value Class::*value,
                      Absent absent = is_optional<Value> ? Absent::left_out : Absent::never) {
  return Member<Class, Value>{name, value, absent};
}

constexpr auto members_of(const Finding*) {
  return std::tuple(member("severity", &Finding::severity), member("code", &Finding::code),
                    member("message", &Finding::message),
                    member("pointer", &Finding::pointer, Absent::read_as_default));
}

constexpr auto members_of(const MeshEntry*) {
  return std::tuple(member("name", &MeshEntry::name), member("vertices", &MeshEntry::vertices),
                    member("triangles", &MeshEntry::triangles), member("bound", &MeshEntry::bound),
                    member("existing", &MeshEntry::existing));
}

constexpr auto members_of(const JointEntry*) {
  return std::tuple(member("name", &JointEntry::name), member("vertices", &JointEntry::vertices));
}

constexpr auto members_of(const VoxelCounts*) {
  return std::tuple(member("interior", &VoxelCounts::interior),
                    member("boundary", &VoxelCounts::boundary),
                    member("single_votes", &VoxelCounts::ambiguous),
                    member("single_votes_interior", &VoxelCounts::ambiguous_interior),
                    member("sparse", &VoxelCounts::sparse));
}

constexpr auto members_of(const check::SkinFigures*) {
  return std::tuple(
      member("vertices_without_weight", &check::SkinFigures::without_weight),
      member("bleed", &check::SkinFigures::bleed), member("stretch", &check::SkinFigures::stretch),
      member("far_surface", &check::SkinFigures::far_surface),
      member("far_joint", &check::SkinFigures::far_joint),
      member("dead_joints", &check::SkinFigures::dead_joints, Absent::read_as_default));
}

constexpr auto members_of(const check::SkinComparison*) {
  return std::tuple(member("before", &check::SkinComparison::before),
                    member("now", &check::SkinComparison::now),
                    member("vertices", &check::SkinComparison::vertices),
                    member("changed", &check::SkinComparison::changed),
                    member("mean_l1", &check::SkinComparison::mean_l1),
                    member("verdict", &check::SkinComparison::verdict),
                    member("worse_in", &check::SkinComparison::worse_in));
}

constexpr auto members_of(const SkinEntry*) {
  return std::tuple_cat(members_of(static_cast<const check::SkinFigures*>(nullptr)),
                        std::tuple(member("comparison", &SkinEntry::comparison)));
}

constexpr auto members_of(const StageEntry*) {
  return std::tuple(member("name", &StageEntry::name), member("seconds", &StageEntry::seconds),
                    member("peak_bytes", &StageEntry::peak_bytes));
}

constexpr auto members_of(const ClipEntry*) {
  using E = ClipEntry;
  return std::tuple(member("name", &E::name), member("source", &E::source),
                    member("frames", &E::frames), member("joints_to_move", &E::joints_to_move),
                    member("joints_moved", &E::joints_moved), member("foot_slide", &E::foot_slide),
                    member("penetration", &E::penetration),
                    member("largest_jump", &E::largest_jump),
                    member("jump_in_clip", &E::jump_in_clip), member("hands_off", &E::hands_off),
                    member("feet_off", &E::feet_off), member("beyond_limits", &E::beyond_limits),
                    member("worst_joint", &E::worst_joint), member("stretch", &E::stretch));
}

constexpr auto members_of(const EntryError*) {
  return std::tuple(member("exit_code", &EntryError::exit_code),
                    member("message", &EntryError::message));
}

constexpr auto members_of(const AssetEntry*) {
  using E = AssetEntry;
  return std::tuple(
      member("name", &E::name), member("input", &E::input), member("output", &E::output),
      member("status", &E::status), member("seconds", &E::seconds),
      member("skeleton", &E::skeleton, Absent::null), member("options", &E::options),
      member("command", &E::command), member("picture", &E::picture, Absent::null),
      member("page", &E::page), member("key", &E::key, Absent::null),
      member("fail_on", &E::fail_on), member("device", &E::device),
      member("resolution", &E::resolution), member("meshes", &E::meshes),
      member("joints", &E::joints), member("voxels", &E::voxels),
      member("unreached_vertices", &E::unreached_vertices), member("existing", &E::existing),
      member("filled_vertices", &E::filled_vertices), member("skin", &E::skin),
      member("clips", &E::clips), member("stages", &E::stages),
      member("peak_bytes", &E::peak_bytes), member("findings", &E::findings),
      member("error", &E::error, Absent::null), member("stderr", &E::stderr_text));
}

constexpr auto members_of(const ReportTool*) {
  return std::tuple(member("name", &ReportTool::name), member("version", &ReportTool::version));
}

constexpr auto members_of(const Shard*) {
  return std::tuple(member("index", &Shard::index), member("count", &Shard::count));
}

constexpr auto members_of(const Report*) {
  return std::tuple(member("tool", &Report::tool), member("dry_run", &Report::dry_run),
                    member("options", &Report::options), member("out", &Report::out),
                    member("shard", &Report::shard, Absent::null),
                    member("findings", &Report::findings), member("fail_on", &Report::fail_on),
                    member("assets", &Report::assets), member("done", &Report::done),
                    member("up_to_date", &Report::up_to_date), member("skipped", &Report::skipped),
                    member("failed", &Report::failed), member("interrupted", &Report::interrupted),
                    member("seconds", &Report::seconds), member("exit_code", &Report::exit_code));
}

}  // namespace gvbind
