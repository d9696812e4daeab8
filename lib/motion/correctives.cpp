#include "motion/correctives.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr double least_scale = 0.1;    ///< of a blended transform, relative to its largest scale
constexpr double least_offset = 1e-7;  ///< relative to the surface's size
constexpr double least_weight = 1e-9;  ///< weights closer to zero are rounding errors
/// Relative to the largest eigenvalue; smaller ones are rounding errors.
constexpr double min_eigenvalue_ratio = 1e-12;
constexpr Eigen::Index rows_per_block = 4096;
constexpr std::size_t offset_grain = 1024;

Eigen::Vector3d undone(const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset) {
  const Eigen::Matrix3d inverse = turn.inverse();
  // Frobenius norms bound the condition number from above.
  if (inverse.allFinite() && turn.norm() * inverse.norm() < 1.0 / least_scale)
    return inverse * offset;
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(turn, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double largest = svd.singularValues()[0];
  if (!(largest > 0.0)) return Eigen::Vector3d::Zero();
  const Eigen::Vector3d scales = svd.singularValues().cwiseMax(least_scale * largest);
  return svd.matrixV() * (svd.matrixU().transpose() * offset).cwiseQuotient(scales);
}

/// Vertices moved by any sample, ascending.
std::vector<std::size_t> moved_vertices(std::span<const RestOffsets> samples) {
  std::vector<std::size_t> moved;
  for (std::size_t v = 0; v < samples.front().size(); ++v)
    if (std::ranges::any_of(samples, [&](const RestOffsets& s) { return !s[v].isZero(0.0F); }))
      moved.push_back(v);
  return moved;
}

Eigen::MatrixXf matrix_of(std::span<const RestOffsets> samples,
                          const std::vector<std::size_t>& moved) {
  Eigen::MatrixXf matrix(static_cast<Eigen::Index>(3 * moved.size()),
                         static_cast<Eigen::Index>(samples.size()));
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (std::size_t i = 0; i < moved.size(); ++i)
      matrix.col(static_cast<Eigen::Index>(s)).segment<3>(static_cast<Eigen::Index>(3 * i)) =
          samples[s][moved[i]];
  return matrix;
}

/// In double precision and by blocks, so that small singular values survive and the order of
/// summation is fixed.
Eigen::MatrixXd gram_of(const Eigen::MatrixXf& matrix) {
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(matrix.cols(), matrix.cols());
  for (Eigen::Index row = 0; row < matrix.rows(); row += rows_per_block) {
    const Eigen::MatrixXd block =
        matrix.middleRows(row, std::min(rows_per_block, matrix.rows() - row)).cast<double>();
    gram.noalias() += block.transpose() * block;
  }
  return gram;
}

Eigen::VectorXd shape_of(const Eigen::MatrixXf& matrix, const Eigen::VectorXd& direction) {
  Eigen::VectorXd shape = Eigen::VectorXd::Zero(matrix.rows());
  for (Eigen::Index s = 0; s < matrix.cols(); ++s)
    shape += direction[s] * matrix.col(s).cast<double>();
  return shape;
}

/// The moved vertices of all samples: one column per sample, one row per coordinate.
struct SampleMatrix {
  std::vector<std::size_t> moved;  ///< vertices
  std::size_t vertices = 0;        ///< number per sample
  Eigen::MatrixXf values;
};

RestOffsets offsets_of(const SampleMatrix& samples, const Eigen::VectorXd& shape) {
  RestOffsets offsets(samples.vertices, Eigen::Vector3f::Zero());
  for (std::size_t i = 0; i < samples.moved.size(); ++i)
    offsets[samples.moved[i]] = shape.segment<3>(static_cast<Eigen::Index>(3 * i)).cast<float>();
  return offsets;
}

/// A shape and its weight in each sample.
struct WeighedShape {
  Eigen::VectorXd shape, weights;
};

/// By falling singular value. Weights are between -1 and 1; the largest is 1.
std::vector<WeighedShape> largest_shapes(const Eigen::MatrixXf& values, const Eigen::MatrixXd& gram,
                                         std::size_t count) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  const Eigen::Index last = gram.cols() - 1;
  std::vector<WeighedShape> found;
  for (Eigen::Index k = 0; k <= last && found.size() < count; ++k) {
    const double share = solver.eigenvalues()[last - k];
    if (!(share > min_eigenvalue_ratio * solver.eigenvalues()[last])) break;
    Eigen::VectorXd direction = solver.eigenvectors().col(last - k);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    // Scaled so that the sample that uses the shape most has weight 1.
    const double unit = direction[largest];
    direction /= unit;
    found.push_back({shape_of(values, direction) / direction.squaredNorm(), direction});
  }
  return found;
}

bool has_negative_weights(const std::vector<WeighedShape>& shapes) {
  return std::ranges::any_of(
      shapes, [](const WeighedShape& one) { return one.weights.minCoeff() < -least_weight; });
}

/// largest_shapes() of the samples minus their mean, with each shape's weights shifted to a minimum
/// of 0. The last shape contains the mean and these shifts; its weight is 1 in every sample.
std::vector<WeighedShape> shapes_from_least(const Eigen::MatrixXf& values,
                                            const Eigen::MatrixXd& gram, std::size_t count) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(gram.cols());
  const Eigen::MatrixXd center = Eigen::MatrixXd::Identity(gram.cols(), gram.cols()) -
                                 ones * ones.transpose() / static_cast<double>(gram.cols());
  std::vector<WeighedShape> shapes = largest_shapes(values, center * gram * center, count - 1);
  WeighedShape constant{shape_of(values, ones) / static_cast<double>(gram.cols()), ones};
  for (WeighedShape& one : shapes) {
    const double least = one.weights.minCoeff(), width = one.weights.maxCoeff() - least;
    constant.shape += least * one.shape;
    one.shape *= width;
    one.weights = ((one.weights.array() - least) / width).matrix();
  }
  shapes.push_back(std::move(constant));
  return shapes;
}

}  // namespace

RestOffsets rest_offsets(const PoseSurface& surface, PoseSpan pose,
                         std::span<const Eigen::Vector3d> target) {
  RestOffsets offsets(surface.vertex_count(), Eigen::Vector3f::Zero());
  const double least = least_offset * size_of(surface);
  parallel_for(offsets.size(), offset_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Eigen::Affine3d transform = blended_transform(surface, v, pose);
      const Eigen::Vector3d lacks = target[v] - transform * surface.rest[v];
      if (!lacks.allFinite() || lacks.norm() <= least) continue;
      const Eigen::Vector3f offset = undone(transform.linear(), lacks).cast<float>();
      if (offset.allFinite()) offsets[v] = offset;
    }
  });
  return offsets;
}

std::vector<Eigen::Vector3d> offset_positions(const PoseSurface& surface, PoseSpan pose,
                                              std::span<const Eigen::Vector3f> offsets) {
  std::vector<Eigen::Vector3d> posed(surface.vertex_count());
  parallel_for(posed.size(), offset_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      posed[v] =
          blended_transform(surface, v, pose) * (surface.rest[v] + offsets[v].cast<double>());
  });
  return posed;
}

Correctives fit_correctives(std::span<const RestOffsets> samples, std::size_t count) {
  Correctives out;
  out.weights.resize(samples.size());
  if (samples.empty()) return out;
  SampleMatrix matrix{moved_vertices(samples), samples.front().size(), {}};
  matrix.values = matrix_of(samples, matrix.moved);
  const Eigen::MatrixXd gram = gram_of(matrix.values);
  std::vector<WeighedShape> shapes = largest_shapes(matrix.values, gram, count);
  if (count > 1 && has_negative_weights(shapes))
    shapes = shapes_from_least(matrix.values, gram, count);
  for (const WeighedShape& one : shapes) {
    out.shapes.push_back(offsets_of(matrix, one.shape));
    for (std::size_t s = 0; s < samples.size(); ++s)
      out.weights[s].push_back(one.weights[static_cast<Eigen::Index>(s)]);
  }
  return out;
}

RestOffsets blended_offsets(const Correctives& correctives, std::size_t sample) {
  if (correctives.shapes.empty()) return {};
  RestOffsets sum(correctives.shapes.front().size(), Eigen::Vector3f::Zero());
  for (std::size_t k = 0; k < correctives.shapes.size(); ++k) {
    const auto weight = static_cast<float>(correctives.weights[sample][k]);
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += weight * correctives.shapes[k][v];
  }
  return sum;
}

}  // namespace gvbind::motion
