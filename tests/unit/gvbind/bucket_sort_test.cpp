#include "gvbind/base/bucket_sort.h"

#include <catch2/catch.hpp>
#include <random>
#include <tuple>

using namespace gvbind;

TEST_CASE("bucket_sort sorts by key, then by the comparison, as a whole sort does") {
  struct Item {
    std::uint32_t key, rest;
    bool operator==(const Item&) const = default;
  };
  std::mt19937 random(5);
  for (const std::size_t count : {0u, 1u, 7u, 5000u}) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i)
      items.push_back(
          {static_cast<std::uint32_t>(random() % 40), static_cast<std::uint32_t>(random() % 1000)});
    std::vector<Item> expected = items;
    std::sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) {
      return std::tie(a.key, a.rest) < std::tie(b.key, b.rest);
    });
    bucket_sort(
        items, 40, [](const Item& item) { return item.key; },
        [](const Item& a, const Item& b) { return a.rest < b.rest; });
    CHECK(items == expected);
  }
}
