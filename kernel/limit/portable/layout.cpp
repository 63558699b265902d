// Set-up of Limit: checking a layout, and dealing a random one.
#include <algorithm>
#include <optional>
#include <utility>

#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

constexpr int kLetters = 26;
constexpr int kMostNumber = 999;
constexpr int kSides = 6;

// Around a tile in a circle, so that sides with successive numbers touch each other.
constexpr std::array<std::pair<int, int>, kSides> kCircle{{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}};

bool before(const Place& one, const Place& other) { return std::pair(one.q, one.r) < std::pair(other.q, other.r); }

// The neighbours of a tile by side, -1 where there is none.
std::array<int, kSides> around(const Layout& layout, int tile) {
    const Place& place = layout.places[tile];
    std::array<int, kSides> found{};
    for (int side = 0; side < kSides; ++side) {
        found[side] = layout.find(place.q + kCircle[side].first, place.r + kCircle[side].second);
    }
    return found;
}

std::uint8_t sides(const Layout& layout, int tile) {
    auto sorted = kCircle;
    std::ranges::sort(sorted);
    std::uint8_t found = 0;
    for (int side = 0; side < kSides; ++side) {
        const Place& place = layout.places[tile];
        if (layout.find(place.q + sorted[side].first, place.r + sorted[side].second) >= 0) found |= 1U << side;
    }
    return found;
}

// Whether the sides in the set form at most one unbroken arc of the circle.
bool one_arc(unsigned sides) {
    const unsigned turned = (sides << 1 | sides >> (kSides - 1)) & ((1U << kSides) - 1);
    return std::popcount(sides & ~turned) <= 1;
}

Word one_arc_table(const Layout& layout, int tile) {
    const std::array<int, kSides> sides = around(layout, tile);
    Word table = 0;
    for (unsigned present = 0; present < (1U << kSides); ++present) {
        Word tiles = 0;
        bool possible = true;
        for (int side = 0; side < kSides; ++side) {
            if (!has(present, side)) continue;
            if (sides[side] < 0)
                possible = false;
            else
                tiles |= bit(sides[side]);
        }
        if (possible && one_arc(present)) table |= bit(static_cast<int>(gather(tiles, layout.neighbours[tile])));
    }
    return table;
}

// The first tile is in cell 1 and none in cell 63, so that no shift by one loses a tile on its way to a neighbour.
int cell(const Layout& layout, int stride, int tile) {
    const Place& origin = layout.places[0];
    return 1 + stride * (layout.places[tile].q - origin.q) + layout.places[tile].r - origin.r;
}

bool fits_grid(const Layout& layout, int stride) {
    for (int tile = 1; tile < layout.count; ++tile) {
        const int at = cell(layout, stride, tile);
        if (at <= cell(layout, stride, tile - 1) || at >= 63) return false;
        for (int other = 0; other < tile; ++other) {
            const int apart = at - cell(layout, stride, other);
            const bool joined = apart == 1 || apart == stride || apart == stride - 1;
            if (joined && !has(layout.neighbours[tile], other)) return false;
        }
    }
    return true;
}

void lay_on_grid(Layout& layout) {
    for (int n = 1; n < 32; ++n) {
        const int stride = n == 1 ? kUsualStride : n;
        if (!fits_grid(layout, stride)) continue;
        layout.stride = stride;
        for (int tile = 0; tile < layout.count; ++tile) layout.cells |= bit(cell(layout, stride, tile));
        return;
    }
}

// Fills the tables that follow from the places, which must be sorted and differ.
void derive(Layout& layout) {
    for (int tile = 0; tile < layout.count; ++tile) {
        for (const int other : around(layout, tile)) {
            if (other >= 0) layout.neighbours[tile] |= bit(other);
        }
        layout.sides[tile] = sides(layout, tile);
        layout.one_arc[tile] = one_arc_table(layout, tile);
    }
    for (int i = 0; i < kMostTiles / 8; ++i) {
        for (unsigned byte = 1; byte < 256; ++byte) {
            layout.spread[i][byte] = layout.spread[i][byte & (byte - 1)] | layout.neighbours[8 * i + first(byte)];
        }
    }
    lay_on_grid(layout);
}

void colour(Layout& layout) {
    for (int tile = 0; tile < layout.count; ++tile) layout.colours[layout.places[tile].colour] |= bit(tile);
}

// The tiles on which no pawn stands at the beginning.
Word empty_tiles(const std::array<Word, kColours>& colours, int players) {
    return colours[3] | (players == 2 ? colours[2] : 0);
}

std::optional<LayoutResult> refuse_list(std::span<const Place> places, int players) {
    const std::size_t size = places.size() / kColours;
    if (players < 2 || players > kMostPlayers) return LayoutResult{nullptr, LayoutProblem::players, -1};
    if (places.empty() || places.size() > kMostTiles || places.size() % kColours != 0) {
        return LayoutResult{nullptr, LayoutProblem::count, -1};
    }
    std::array<std::size_t, kColours> laid{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [q, r, colour] = places[i];
        const int at = static_cast<int>(i);
        if (q < 0 || q >= kLetters || r < 0 || r > kMostNumber) return LayoutResult{nullptr, LayoutProblem::place, at};
        if (colour < 0 || colour >= kColours) return LayoutResult{nullptr, LayoutProblem::colour, at};
        const auto same = [&](const Place& other) { return other.q == places[i].q && other.r == places[i].r; };
        if (std::any_of(places.begin(), places.begin() + at, same)) {
            return LayoutResult{nullptr, LayoutProblem::duplicate, at};
        }
        if (++laid[static_cast<std::size_t>(colour)] > size) {
            return LayoutResult{nullptr, LayoutProblem::colour_count, at};
        }
    }
    return std::nullopt;
}

// The first rule that the laid tiles break, and the tiles that break it.
std::pair<LayoutProblem, Word> broken_rule(const Layout& layout) {
    Word lonely = 0;
    for (int tile = 0; tile < layout.count; ++tile) {
        if (count(layout.neighbours[tile]) < 2) lonely |= bit(tile);
    }
    if (lonely != 0) return {LayoutProblem::touches_fewer, lonely};
    Word joined = 1;
    for (Word before_step = 0; joined != before_step;) {
        before_step = joined;
        joined |= layout.near(joined);
    }
    const Word apart = layout.all() & ~joined;
    if (apart != 0) return {LayoutProblem::not_connected, apart};
    Word clashing = 0;
    for (const Word tiles : layout.colours) clashing |= tiles & layout.near(tiles);
    if (clashing != 0) return {LayoutProblem::same_colour_touch, clashing};
    const Word empty = empty_tiles(layout.colours, layout.players);
    const Word stuck = layout.all() & ~empty & ~layout.near(empty);
    if (stuck != 0) return {LayoutProblem::pawn_without_empty, stuck};
    return {LayoutProblem::none, 0};
}

// A random shape: a triangle, then tile by tile any place that touches two laid ones. Black all over, and moved so
// that letters begin with a and numbers with 1.
std::vector<Place> grow(int tiles, Rng& rng) {
    constexpr int kWidth = 2 * kMostTiles + 2;  // so wide that no shape grown from its middle meets the border
    std::array<std::array<std::uint8_t, kWidth>, kWidth> touched{};
    std::vector<Place> laid;
    std::vector<Place> open;  // the free places that touch at least two laid tiles
    const auto lay = [&](Place place) {
        laid.push_back(place);
        std::erase(open, place);
        for (const auto& [dq, dr] : kCircle) {
            const Place next{place.q + dq, place.r + dr, place.colour};
            const bool taken = std::find(laid.begin(), laid.end(), next) != laid.end();
            if (++touched[next.q][next.r] == 2 && !taken) open.push_back(next);
        }
    };
    constexpr int kMiddle = kMostTiles + 1;
    for (const auto& [q, r] : {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1)}) {
        lay({kMiddle + q, kMiddle + r, kColours - 1});
    }
    while (static_cast<int>(laid.size()) < tiles) lay(open[rng.below(static_cast<unsigned>(open.size()))]);

    const int left = std::ranges::min(laid, {}, &Place::q).q;
    const int low = std::ranges::min(laid, {}, &Place::r).r;
    for (Place& place : laid) {
        place.q -= left;
        place.r -= low - 1;
    }
    std::ranges::sort(laid, before);
    return laid;
}

// The tiles that break a colour rule: they touch their own colour, or their pawn touches no empty tile.
Word misplaced(const Layout& layout, const std::array<Word, kColours>& colours) {
    const Word empty = empty_tiles(colours, layout.players);
    Word found = layout.all() & ~empty & ~layout.near(empty);
    for (const Word tiles : colours) found |= tiles & layout.near(tiles);
    return found;
}

// Colours a shape at random: shuffles, then swaps pairs with at least one misplaced tile. A swap that misplaces k more
// tiles is kept with a chance of 1 in 4^k, which leads out of dead ends. False where that does not get there in time.
bool deal_colours(Layout& layout, Rng& rng) {
    const int tries = 200 * layout.count;
    for (int i = 0; i < layout.count; ++i) {
        layout.places[i].colour = i % kColours;
        std::swap(layout.places[i].colour, layout.places[rng.below(static_cast<unsigned>(i + 1))].colour);
    }
    colour(layout);
    Word wrong = misplaced(layout, layout.colours);
    for (int i = 0; i < tries && wrong != 0; ++i) {
        const int one = first(pick(wrong, rng));
        const int other = static_cast<int>(rng.below(static_cast<unsigned>(layout.count)));
        int& here = layout.places[one].colour;
        int& there = layout.places[other].colour;
        if (here == there) continue;
        std::array<Word, kColours> swapped = layout.colours;
        swapped[here] ^= bit(one) | bit(other);
        swapped[there] ^= bit(one) | bit(other);
        const Word left = misplaced(layout, swapped);
        const int worse = count(left) - count(wrong);
        if (worse > 0 && (worse > 15 || (rng.next() >> (64 - 2 * worse)) != 0)) continue;
        std::swap(here, there);
        layout.colours = swapped;
        wrong = left;
    }
    return wrong == 0;
}

}  // namespace

int Layout::find(int q, int r) const {
    const auto end = places.begin() + count;
    const auto found = std::lower_bound(places.begin(), end, Place{q, r, 0}, before);
    return found != end && found->q == q && found->r == r ? static_cast<int>(found - places.begin()) : -1;
}

LayoutResult make_layout(std::span<const Place> places, int players) {
    if (const auto refused = refuse_list(places, players)) return *refused;
    auto layout = std::make_shared<Layout>();
    layout->count = static_cast<int>(places.size());
    layout->players = players;
    std::ranges::copy(places, layout->places.begin());
    std::sort(layout->places.begin(), layout->places.begin() + layout->count, before);
    derive(*layout);
    colour(*layout);
    const auto [problem, tiles] = broken_rule(*layout);
    if (problem == LayoutProblem::none) return {std::move(layout), problem, -1};
    for (int i = 0; i < layout->count; ++i) {
        if (has(tiles, layout->find(places[i].q, places[i].r))) return {nullptr, problem, i};
    }
    return {nullptr, problem, -1};
}

std::shared_ptr<const Layout> empty_layout(int players) {
    if (players < 2 || players > kMostPlayers) return nullptr;
    auto layout = std::make_shared<Layout>();
    layout->players = players;
    return layout;
}

std::shared_ptr<const Layout> random_layout(int size, int players, Word seed) {
    if (size < 4 || size > kMostTiles / kColours || players < 2 || players > kMostPlayers) return nullptr;
    Rng rng(seed);
    while (true) {
        const std::vector<Place> shape = grow(kColours * size, rng);
        if (std::ranges::max(shape, {}, &Place::q).q >= kLetters) continue;
        auto layout = std::make_shared<Layout>();
        layout->count = kColours * size;
        layout->players = players;
        std::ranges::copy(shape, layout->places.begin());
        derive(*layout);
        if (deal_colours(*layout, rng)) return layout;
    }
}

}  // namespace limina::limit
