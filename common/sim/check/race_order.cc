#include "sim/check/race_order.h"

#include <algorithm>

namespace sim::check {

// ---- One block ----

std::array<Time, exec::lanes>& BlockTimes::lanes_of(std::uint32_t warp) {
  const auto it = std::ranges::lower_bound(warps, warp, {}, &WarpTimes::warp);
  if (it != warps.end() && it->warp == warp) return it->lane;
  WarpTimes fresh{warp, {}};
  fresh.lane.fill(all);
  return warps.insert(it, fresh)->lane;
}

void BlockTimes::join(const BlockTimes& other) {
  all = std::max(all, other.all);
  for (const WarpTimes& w : other.warps) {
    auto& lane = lanes_of(w.warp);
    for (std::size_t l = 0; l < lane.size(); ++l) lane[l] = std::max(lane[l], w.lane[l]);
  }
  prune();
}

void BlockTimes::prune() {
  std::erase_if(warps, [&](const WarpTimes& w) {
    return std::ranges::all_of(w.lane, [&](Time t) { return t <= all; });
  });
}

// ---- Many blocks ----

namespace {

constexpr int bits = 5;  // of a block's number for each level

Ref<Blocks> with(const Ref<Blocks>& node, int level, std::uint64_t block,
                 const Ref<Blocks::Leaf>& leaf) {
  Ref<Blocks> copy(node ? new Blocks(*node) : new Blocks);
  if (node) copy->references = 1;
  const auto branch = static_cast<std::size_t>(block >> (bits * level) & 31);
  if (level == 0)
    copy->leaf[branch] = leaf;
  else
    copy->child[branch] = with(copy->child[branch], level - 1, block, leaf);
  return copy;
}

bool covers(const BlockTimes& a, const BlockTimes& b) {
  if (a.all < b.all) return false;
  for (const BlockTimes::WarpTimes& w : b.warps)
    for (int l = 0; l < exec::lanes; ++l)
      if (a.of(w.warp, l) < w.lane[static_cast<std::size_t>(l)]) return false;
  return true;
}

Ref<Blocks::Leaf> joined(const Ref<Blocks::Leaf>& a, const Ref<Blocks::Leaf>& b) {
  if (a == b || !b) return a;
  if (!a || covers(b->times, a->times)) return b;
  if (covers(a->times, b->times)) return a;
  Ref<Blocks::Leaf> leaf(new Blocks::Leaf);
  leaf->times = a->times;
  leaf->times.join(b->times);
  return leaf;
}

Ref<Blocks> joined(const Ref<Blocks>& a, const Ref<Blocks>& b, int level) {
  if (a == b || !b) return a;
  if (!a) return b;
  Ref<Blocks> node(new Blocks);
  bool is_a = true, is_b = true;
  for (std::size_t i = 0; i < 32; ++i) {
    if (level == 0) {
      node->leaf[i] = joined(a->leaf[i], b->leaf[i]);
      is_a &= node->leaf[i] == a->leaf[i];
      is_b &= node->leaf[i] == b->leaf[i];
    } else {
      node->child[i] = joined(a->child[i], b->child[i], level - 1);
      is_a &= node->child[i] == a->child[i];
      is_b &= node->child[i] == b->child[i];
    }
  }
  return is_a ? a : is_b ? b : node;
}

}  // namespace

const BlockTimes* BlockTree::find(std::uint64_t block) const {
  if (!root_ || block >> (bits * (levels_ + 1)) != 0) return nullptr;
  const Blocks* node = root_.get();
  for (int level = levels_; level > 0 && node; --level)
    node = node->child[block >> (bits * level) & 31].get();
  if (!node) return nullptr;
  const Blocks::Leaf* leaf = node->leaf[block & 31].get();
  return leaf ? &leaf->times : nullptr;
}

void BlockTree::add(std::uint64_t block, const BlockTimes& times) {
  const auto grow = [&] {
    if (root_) {
      Ref<Blocks> higher(new Blocks);
      higher->child[0] = root_;
      root_ = higher;
    }
    ++levels_;
  };
  while (block >> (bits * (levels_ + 1)) != 0) grow();
  Ref<Blocks::Leaf> leaf(new Blocks::Leaf);
  leaf->times = times;
  if (const BlockTimes* known = find(block)) leaf->times.join(*known);
  root_ = with(root_, levels_, block, leaf);
}

void BlockTree::join(const BlockTree& other) {
  if (other.empty() || root_ == other.root_) return;
  if (empty()) {
    *this = other;
    return;
  }
  const auto raised = [](Ref<Blocks> root, int from, int to) {
    for (; from < to; ++from) {
      Ref<Blocks> higher(new Blocks);
      higher->child[0] = root;
      root = higher;
    }
    return root;
  };
  const int levels = std::max(levels_, other.levels_);
  root_ =
      joined(raised(root_, levels_, levels), raised(other.root_, other.levels_, levels), levels);
  levels_ = levels;
}

}  // namespace sim::check
