#include "gvbind/base/disjoint_sets.h"

#include <catch2/catch.hpp>

using gvbind::DisjointSets;

TEST_CASE("joined members share the lowest of them as their root, whatever the order of joins") {
  DisjointSets sets(6);
  CHECK(sets.join(5, 3));
  CHECK(sets.join(4, 5));
  CHECK_FALSE(sets.join(3, 4));
  CHECK(sets.root(4) == 3);
  CHECK(sets.root(5) == 3);
  CHECK(sets.join(4, 1));
  CHECK(sets.root(3) == 1);
  CHECK(sets.root(0) == 0);
  CHECK(sets.root(2) == 2);
}

TEST_CASE("sets begin as the parents that are given") {
  DisjointSets sets({0, 0, 2, 2, 0});
  CHECK(sets.root(4) == 0);
  CHECK(sets.root(3) == 2);
  CHECK_FALSE(sets.join(1, 4));
  CHECK(sets.join(3, 4));
  CHECK(sets.root(3) == 0);
}
