#pragma once

#include <string_view>

/// Finding::code of every finding of the libraries; `gvbind explain CODE` has its meaning.
/// Codes are stable.
namespace gvbind::finding {

inline constexpr std::string_view attributes_damaged = "attributes-damaged";
inline constexpr std::string_view axes_left_handed = "axes-left-handed";
inline constexpr std::string_view bind_differs = "bind-differs";
inline constexpr std::string_view bind_poses_differ = "bind-poses-differ";
inline constexpr std::string_view bind_singular = "bind-singular";
inline constexpr std::string_view bind_space = "bind-space";
inline constexpr std::string_view bind_unset = "bind-unset";
inline constexpr std::string_view bleed = "bleed";
inline constexpr std::string_view body_turned = "body-turned";
inline constexpr std::string_view clip_rate = "clip-rate";
inline constexpr std::string_view clusters_disagree = "clusters-disagree";
inline constexpr std::string_view dead_joint = "dead-joint";
inline constexpr std::string_view device_failed = "device-failed";
inline constexpr std::string_view existing_damaged = "existing-damaged";
inline constexpr std::string_view faces_turned = "faces-turned";
inline constexpr std::string_view far_joint = "far-joint";
inline constexpr std::string_view fbx_not_reproduced = "fbx-not-reproduced";
inline constexpr std::string_view fbx_upgraded = "fbx-upgraded";
inline constexpr std::string_view foreign_lines = "foreign-lines";
inline constexpr std::string_view format_changed = "format-changed";
inline constexpr std::string_view garment_off_body = "garment-off-body";
inline constexpr std::string_view geometries_left = "geometries-left";
inline constexpr std::string_view instances_left = "instances-left";
inline constexpr std::string_view joint_away = "joint-away";
inline constexpr std::string_view joint_collapsed = "joint-collapsed";
inline constexpr std::string_view joint_holds_others = "joint-holds-others";
inline constexpr std::string_view joint_of_other_scene = "joint-of-other-scene";
inline constexpr std::string_view joint_outside = "joint-outside";
inline constexpr std::string_view joint_repeats = "joint-repeats";
inline constexpr std::string_view joint_unsure = "joint-unsure";
inline constexpr std::string_view joint_without_vertices = "joint-without-vertices";
inline constexpr std::string_view joints_as_given = "joints-as-given";
inline constexpr std::string_view joints_near = "joints-near";
inline constexpr std::string_view joints_without_effect = "joints-without-effect";
inline constexpr std::string_view kept_without_weight = "kept-without-weight";
inline constexpr std::string_view mesh_collapsed = "mesh-collapsed";
inline constexpr std::string_view mesh_motion_lost = "mesh-motion-lost";
inline constexpr std::string_view mesh_scaled = "mesh-scaled";
inline constexpr std::string_view mesh_stood_up = "mesh-stood-up";
inline constexpr std::string_view mesh_without_skin = "mesh-without-skin";
inline constexpr std::string_view mirror_refused = "mirror-refused";
inline constexpr std::string_view mirror_without_twin = "mirror-without-twin";
inline constexpr std::string_view mirrored = "mirrored";
inline constexpr std::string_view missing_material_file = "missing-material-file";
inline constexpr std::string_view missing_picture = "missing-picture";
inline constexpr std::string_view motion_by_shape = "motion-by-shape";
inline constexpr std::string_view motion_damaged = "motion-damaged";
inline constexpr std::string_view motion_jump = "motion-jump";
inline constexpr std::string_view motion_limits = "motion-limits";
inline constexpr std::string_view motion_lost = "motion-lost";
inline constexpr std::string_view motion_mirrored = "motion-mirrored";
inline constexpr std::string_view motion_sinks = "motion-sinks";
inline constexpr std::string_view motion_slide = "motion-slide";
inline constexpr std::string_view motion_still = "motion-still";
inline constexpr std::string_view motion_unmatched = "motion-unmatched";
inline constexpr std::string_view no_skin = "no-skin";
inline constexpr std::string_view no_triangles = "no-triangles";
inline constexpr std::string_view node_pose = "node-pose";
inline constexpr std::string_view nodes_not_joints = "nodes-not-joints";
inline constexpr std::string_view outside_field = "outside-field";
inline constexpr std::string_view outside_scenes = "outside-scenes";
inline constexpr std::string_view parts_joined = "parts-joined";
inline constexpr std::string_view rigid_parts = "rigid-parts";
inline constexpr std::string_view root_added = "root-added";
inline constexpr std::string_view root_spared = "root-spared";
inline constexpr std::string_view rule_unmatched = "rule-unmatched";
inline constexpr std::string_view scenery_left = "scenery-left";
inline constexpr std::string_view shared_geometry = "shared-geometry";
inline constexpr std::string_view skeleton_outside = "skeleton-outside";
inline constexpr std::string_view skeleton_scaled = "skeleton-scaled";
inline constexpr std::string_view skeleton_units = "skeleton-units";
inline constexpr std::string_view springs_added = "springs-added";
inline constexpr std::string_view springs_left_out = "springs-left-out";
inline constexpr std::string_view springs_none = "springs-none";
inline constexpr std::string_view stretch = "stretch";
inline constexpr std::string_view surfaces_too_thin = "surfaces-too-thin";
inline constexpr std::string_view surfaces_touch = "surfaces-touch";
inline constexpr std::string_view target_influences = "target-influences";
inline constexpr std::string_view target_joints = "target-joints";
inline constexpr std::string_view template_unsure = "template-unsure";
inline constexpr std::string_view texture_left_out = "texture-left-out";
inline constexpr std::string_view too_many_influences = "too-many-influences";
inline constexpr std::string_view units_not_used = "units-not-used";
inline constexpr std::string_view units_unsure = "units-unsure";
inline constexpr std::string_view vertices_unreached = "vertices-unreached";
inline constexpr std::string_view vertices_without_weight = "vertices-without-weight";
inline constexpr std::string_view volume_alone = "volume-alone";
inline constexpr std::string_view vrm_authors = "vrm-authors";
inline constexpr std::string_view vrm_incomplete = "vrm-incomplete";
inline constexpr std::string_view vrm_pose = "vrm-pose";
inline constexpr std::string_view weight_sum = "weight-sum";
inline constexpr std::string_view weights_damaged = "weights-damaged";
inline constexpr std::string_view weights_locked = "weights-locked";
inline constexpr std::string_view worse = "worse";
inline constexpr std::string_view worse_than_before = "worse-than-before";

}  // namespace gvbind::finding
