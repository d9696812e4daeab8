#pragma once

#include <vector>

#include "bind/rule_lines.h"
#include "character/mirror_pairs.h"
#include "character/scene.h"
#include "gvbind/finding.h"
#include "gvbind/rules.h"

namespace gvbind {

/// A rigger's rules, before joint names and relative measures are resolved for an asset.
struct RuleSet {
  std::vector<EditLine> edits;
  std::vector<InfluenceLine> influences;
  std::vector<ForbidRule> forbid;
  std::vector<GiveRule> give;
  std::vector<AlphaRule> alphas;
  std::vector<LockRule> locks;  ///< see plan_locks()
  Mirror mirror = Mirror::off;  ///< see mirror_weights()
};

/// The rules for meshes and joints of a scene, after its selection was applied. Sets
/// SceneMesh::assigned_joint where parts are given to a joint. Relative measures are of the box
/// around the selected meshes: places from its low corner, lengths of its longest side; in the
/// frame of a joint both are lengths. Rules see joints that may own weight; frames are of any
/// joint. A rule that matches nothing is a finding "rule-unmatched" and left out. Throws
/// Error(usage) where a rule for one joint matches several.
BindRules resolve_rules(const RuleSet& rules, std::vector<SceneMesh>& meshes,
                        const std::vector<SceneJoint>& joints, Findings& findings);

/// Adds the match counts of one solid to the sum over solids.
void add_rule_use(RuleUse& sum, const RuleUse& part);

/// "rule-unmatched" for each rule that matched no voxel or vertex.
void report_unused_rules(const BindRules& rules, const RuleUse& use, Findings& findings);

}  // namespace gvbind
