"""Faults that the tests have to find: one change of a source each, from all stages."""
from typing import NamedTuple


class Mutant(NamedTuple):
    labels: str  # of the tests that are run first, separated by '|'
    file: str
    text: str  # stands in the file exactly once
    instead: str


STAGES, FORMATS = 'lib/gvbind/', 'lib/formats/'

MUTANTS = [
    # voxels
    Mutant('gvbind', STAGES + 'solid/vote.cpp', '(x & y) | (x & z) | (y & z)', '(x & y) | (x & z)'),
    Mutant('gvbind', STAGES + 'solid/column_voxelizer.cpp', 'before[s].words[i] ^= before[s - 1].words[i];',
           'before[s].words[i] |= before[s - 1].words[i];'),
    # distances
    Mutant('gvbind', STAGES + 'distance/seeds.cpp', 'bound = std::min(bound, d + same_gap);', 'bound = std::min(bound, d);'),
    Mutant('gvbind', STAGES + 'distance/delta_stepping.cpp',
           'if (before == no_label || label_joint(before) == label_joint(label)) break;',
           'if (before == no_label) break;'),
    Mutant('gvbind', STAGES + 'distance/bridge_components.cpp', '(a.low - b.high).max(b.low - a.high)',
           '(a.low - b.high).max(a.high - b.low)'),
    # weights
    Mutant('gvbind', STAGES + 'weights/falloff_curve.cpp', 'return root * root;', 'return root;'),
    Mutant('gvbind', STAGES + 'weights/falloff.cpp', 'distances.resize(static_cast<std::size_t>(max_influences));',
           'distances.resize(static_cast<std::size_t>(max_influences) + 1);'),
    Mutant('gvbind', STAGES + 'weights/euclidean_correction.cpp', 'double deepest = min_thickness;',
           'double deepest = usual_thickness;'),
    # readers
    Mutant('gltf|import', FORMATS + 'gltf/accessor.cpp', '(bytes.size() - offset - row_size) / stride >= count - 1',
           '(bytes.size() - offset - row_size) / stride + 1 >= count - 1'),
    Mutant('gltf|import', FORMATS + 'gltf/uri.cpp', 'static_cast<char>(high * 16 + low)', 'static_cast<char>(low * 16 + high)'),
    Mutant('gltf|import', FORMATS + 'gltf/weight_rows.cpp', 'slot.weight += weight;', 'slot.weight = weight;'),
    Mutant('fbx|import', FORMATS + 'fbx/transform.cpp', 'vector("PostRotation", t.post_rotation);',
           'vector("PreRotation", t.post_rotation);'),
    # writers
    Mutant('gltf|import', FORMATS + 'gltf/skin_writer.cpp', 'there[joint] = true;', 'there[joint] = plan.renewed[slot];'),
    Mutant('fbx|import|motion', FORMATS + 'fbx/skinning.cpp', 'if (!seen.empty()) document.changed = true;', ''),
    # batch
    Mutant('batch', 'app/batch/triage.cpp', 'if (verdict.act != Verdict::Act::bind || job.force) return;',
           'if (verdict.act != Verdict::Act::bind || !job.force) return;'),
    Mutant('batch', 'app/batch/worker_pool.cpp', 'tasks[a].cost > tasks[b].cost', 'tasks[a].cost < tasks[b].cost'),
    Mutant('batch', 'app/batch/stamp.cpp', 'stamp.earlier = outputs_of(head.at("earlier"))',
           'stamp.earlier = outputs_of(head.at("outputs"))'),
    # check
    Mutant('check', 'lib/check/skin_rows.cpp', 'if (error > options.sum_tolerance)', 'if (error > 10.0 * options.sum_tolerance)'),
    Mutant('check', 'lib/check/far_joints.cpp', 'std::max(0.0, distance - nearest.distance[v])', 'std::max(0.0, distance)'),
    Mutant('check', 'lib/check/stretch.cpp', 'moved[joints[j].parent] * random_turn', 'random_turn'),
    # command line
    Mutant('cli', 'app/cli/option_values.cpp', 'rest == end && std::isfinite(value)', 'std::isfinite(value)'),
    Mutant('batch', 'app/common/exit_codes.cpp', 'error(ErrorKind::resource, "out of memory")',
           'error(ErrorKind::internal, "out of memory")'),
]
