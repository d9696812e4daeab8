#include "fit/network_gradient.h"

#include <algorithm>
#include <cmath>

namespace gvbind::fit {

namespace {

using Matrix = Eigen::MatrixXf;
using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMatrix> matrix(const std::vector<float>& part, std::size_t rows) {
  return {part.data(), static_cast<Eigen::Index>(rows),
          static_cast<Eigen::Index>(part.size() / rows)};
}

Eigen::Map<RowMatrix> matrix(std::vector<float>& part, std::size_t rows) {
  return {part.data(), static_cast<Eigen::Index>(rows),
          static_cast<Eigen::Index>(part.size() / rows)};
}

Eigen::Map<const Eigen::VectorXf> vector(const std::vector<float>& part) {
  return {part.data(), static_cast<Eigen::Index>(part.size())};
}

Eigen::Map<Eigen::VectorXf> vector(std::vector<float>& part) {
  return {part.data(), static_cast<Eigen::Index>(part.size())};
}

constexpr auto columns_per_vertex = static_cast<Eigen::Index>(max_pairs);

/// Intermediate values of a batch.
struct Activations {
  Matrix first, unit;       ///< hidden by columns
  Matrix mean, most;        ///< hidden by vertices
  Eigen::MatrixXi most_at;  ///< index of the pair with the maximum
  Matrix last;              ///< hidden by columns
  Matrix shares;            ///< max_pairs by vertices
};

void pool_units(const PairBatch& batch, Activations& a) {
  const Eigen::Index hidden = a.unit.rows();
  const auto vertices = static_cast<Eigen::Index>(batch.count.size());
  a.mean = Matrix::Zero(hidden, vertices);
  a.most = Matrix::Zero(hidden, vertices);
  a.most_at = Eigen::MatrixXi::Zero(hidden, vertices);
  for (Eigen::Index v = 0; v < vertices; ++v)
    for (int p = 0; p < batch.count[v]; ++p) {
      const auto unit = a.unit.col(v * columns_per_vertex + p);
      a.mean.col(v) += batch.pool(p, v) * unit;
      for (Eigen::Index h = 0; h < hidden; ++h)
        if (unit[h] > a.most(h, v)) {
          a.most(h, v) = unit[h];
          a.most_at(h, v) = p;
        }
    }
}

Activations activate(const PairNetwork& n, const PairBatch& batch) {
  const std::size_t hidden = n.hidden;
  Activations a;
  a.first = ((matrix(n.first, hidden) * batch.x).colwise() + vector(n.first_bias)).cwiseMax(0.0f);
  a.unit = ((matrix(n.second, hidden) * a.first).colwise() + vector(n.second_bias)).cwiseMax(0.0f);
  pool_units(batch, a);
  const Matrix shared =
      (matrix(n.near, hidden) * a.mean + matrix(n.most, hidden) * a.most).colwise() +
      vector(n.third_bias);
  a.last.noalias() = matrix(n.own, hidden) * a.unit;
  const auto vertices = static_cast<Eigen::Index>(batch.count.size());
  for (Eigen::Index v = 0; v < vertices; ++v)
    a.last.middleCols(v * columns_per_vertex, columns_per_vertex).colwise() += shared.col(v);
  a.last = a.last.cwiseMax(0.0f);
  const Eigen::RowVectorXf scores =
      vector(n.last).transpose() * a.last + vector(n.linear).transpose() * batch.x;
  a.shares = Matrix::Zero(columns_per_vertex, vertices);
  for (Eigen::Index v = 0; v < vertices; ++v) {
    const auto count = static_cast<std::size_t>(batch.count[v]);
    softmax({scores.data() + v * columns_per_vertex, count}, {a.shares.col(v).data(), count});
  }
  return a;
}

/// The mean loss, and its derivative with respect to the scores.
double loss_of(const PairBatch& batch, const PairLoss& kind, const Matrix& shares,
               Eigen::RowVectorXf& by_score) {
  const auto vertices = static_cast<Eigen::Index>(batch.count.size());
  by_score = Eigen::RowVectorXf::Zero(vertices * columns_per_vertex);
  double loss = 0.0;
  for (Eigen::Index v = 0; v < vertices; ++v) {
    const int count = batch.count[v];
    float mean_sign = 0.0f, own_sum = 0.0f;
    for (int p = 0; p < count; ++p) {
      const float share = shares(p, v), own = batch.own(p, v);
      loss += std::abs(share - own);
      if (own > 0.0f) loss -= kind.cross_entropy * own * std::log(std::max(share, 1e-9f));
      mean_sign += share > own ? share : -share;
      own_sum += own;
    }
    for (int p = 0; p < count; ++p) {
      const float share = shares(p, v), own = batch.own(p, v);
      const float sign = share > own ? 1.0f : -1.0f;
      by_score[v * columns_per_vertex + p] =
          (share * (sign - mean_sign) + kind.cross_entropy * (share * own_sum - own)) /
          static_cast<float>(vertices);
    }
  }
  return loss / static_cast<double>(vertices);
}

/// Keeps the derivative where the activation is positive, else zero.
void rectify(Matrix& derivative, const Matrix& activation) {
  derivative = (activation.array() > 0.0f).select(derivative, 0.0f);
}

/// Backpropagates through the pools to `unit`.
void add_through_pools(const PairNetwork& n, const PairBatch& batch, const Activations& a,
                       const Matrix& by_shared, Matrix& by_unit) {
  const Matrix by_mean = matrix(n.near, n.hidden).transpose() * by_shared;
  const Matrix by_most = matrix(n.most, n.hidden).transpose() * by_shared;
  for (Eigen::Index v = 0; v < by_shared.cols(); ++v) {
    for (int p = 0; p < batch.count[v]; ++p)
      by_unit.col(v * columns_per_vertex + p) += batch.pool(p, v) * by_mean.col(v);
    for (Eigen::Index h = 0; h < by_most.rows(); ++h)
      by_unit(h, v * columns_per_vertex + a.most_at(h, v)) += by_most(h, v);
  }
}

}  // namespace

Eigen::MatrixXf add_gradient(const PairNetwork& network, const PairBatch& batch,
                             const PairLoss& kind, PairNetwork& gradient, double& loss) {
  const std::size_t hidden = network.hidden;
  const Activations a = activate(network, batch);
  Eigen::RowVectorXf by_score;
  loss = loss_of(batch, kind, a.shares, by_score);

  vector(gradient.last).noalias() += a.last * by_score.transpose();
  vector(gradient.linear).noalias() += batch.x * by_score.transpose();
  Matrix by_last = vector(network.last) * by_score;
  rectify(by_last, a.last);
  Matrix by_shared(a.mean.rows(), a.mean.cols());
  for (Eigen::Index v = 0; v < by_shared.cols(); ++v)
    by_shared.col(v) =
        by_last.middleCols(v * columns_per_vertex, columns_per_vertex).rowwise().sum();
  matrix(gradient.own, hidden).noalias() += by_last * a.unit.transpose();
  vector(gradient.third_bias) += by_shared.rowwise().sum();
  matrix(gradient.near, hidden).noalias() += by_shared * a.mean.transpose();
  matrix(gradient.most, hidden).noalias() += by_shared * a.most.transpose();

  Matrix by_unit = matrix(network.own, hidden).transpose() * by_last;
  add_through_pools(network, batch, a, by_shared, by_unit);
  rectify(by_unit, a.unit);
  matrix(gradient.second, hidden).noalias() += by_unit * a.first.transpose();
  vector(gradient.second_bias) += by_unit.rowwise().sum();
  Matrix by_first = matrix(network.second, hidden).transpose() * by_unit;
  rectify(by_first, a.first);
  matrix(gradient.first, hidden).noalias() += by_first * batch.x.transpose();
  vector(gradient.first_bias) += by_first.rowwise().sum();
  return a.shares;
}

}  // namespace gvbind::fit
