// Set-up of Limit: layouts are checked and generated here.
#include <algorithm>
#include <optional>
#include <utility>

#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

constexpr int kLetters = 26;     // letters of coordinates, a to z
constexpr int kMaxNumber = 999;  // of coordinates
constexpr int kSides = 6;

// The steps to the neighbors of a place, in order around it, so that successive neighbors touch each other.
constexpr std::array<std::pair<int, int>, kSides> kCircle{{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}};

bool is_before(const Place& first, const Place& other) {
    return std::pair(first.q, first.r) < std::pair(other.q, other.r);
}

// Returns the neighbors of a tile in the order of kCircle, -1 where there is none.
std::array<int, kSides> neighbor_tiles(const Layout& layout, int tile) {
    const Place& place = layout.places[tile];
    std::array<int, kSides> result{};
    for (int side = 0; side < kSides; ++side) {
        result[side] = layout.find_tile(place.q + kCircle[side].first, place.r + kCircle[side].second);
    }
    return result;
}

// Returns the sides with a neighbor, in the order of the neighbors' indices: see Layout::neighbor_sides.
std::uint8_t neighbor_sides(const Layout& layout, int tile) {
    auto sorted = kCircle;
    std::ranges::sort(sorted);
    std::uint8_t result = 0;
    for (int side = 0; side < kSides; ++side) {
        const Place& place = layout.places[tile];
        if (layout.find_tile(place.q + sorted[side].first, place.r + sorted[side].second) >= 0) result |= 1U << side;
    }
    return result;
}

// Returns true if the sides in the set form at most one unbroken arc of the circle.
bool is_single_arc(unsigned set) {
    const unsigned rotated = (set << 1 | set >> (kSides - 1)) & ((1U << kSides) - 1);
    return std::popcount(set & ~rotated) <= 1;
}

// Returns Layout::single_arc of a tile.
Bitboard single_arc_table(const Layout& layout, int tile) {
    const std::array<int, kSides> neighbor_at_side = neighbor_tiles(layout, tile);
    Bitboard table = 0;
    for (unsigned present = 0; present < (1U << kSides); ++present) {
        Bitboard tiles = 0;
        bool possible = true;
        for (int side = 0; side < kSides; ++side) {
            if (!contains(present, side)) continue;
            if (neighbor_at_side[side] < 0)
                possible = false;
            else
                tiles |= bit_at(neighbor_at_side[side]);
        }
        if (possible && is_single_arc(present)) table |= bit_at(static_cast<int>(pext(tiles, layout.neighbors[tile])));
    }
    return table;
}

// Returns the cell of a tile in the grid: see Layout::grid_cells. The first tile is in cell 1.
int grid_cell(const Layout& layout, int stride, int tile) {
    const Place& origin = layout.places[0];
    return 1 + stride * (layout.places[tile].q - origin.q) + layout.places[tile].r - origin.r;
}

// Returns true if the cells are in the order of the tiles, only neighbors are at the distance of a step, and no tile is
// in cell 63 or above. Cells 0 and 63 stay free so that a shift by one does not move a tile out of the word.
bool fits_grid(const Layout& layout, int stride) {
    for (int tile = 1; tile < layout.count; ++tile) {
        const int index = grid_cell(layout, stride, tile);
        if (index <= grid_cell(layout, stride, tile - 1) || index >= 63) return false;
        for (int other = 0; other < tile; ++other) {
            const int distance = index - grid_cell(layout, stride, other);
            const bool is_neighbor = distance == 1 || distance == stride || distance == stride - 1;
            if (is_neighbor && !contains(layout.neighbors[tile], other)) return false;
        }
    }
    return true;
}

// Sets the grid of a layout if there is a stride that fits; kDefaultStride is preferred.
void find_grid_stride(Layout& layout) {
    for (int n = 1; n < 32; ++n) {
        const int stride = n == 1 ? kDefaultStride : n;
        if (!fits_grid(layout, stride)) continue;
        layout.grid_stride = stride;
        for (int tile = 0; tile < layout.count; ++tile) layout.grid_cells |= bit_at(grid_cell(layout, stride, tile));
        return;
    }
}

// Sets the tables that depend on the places, which must be sorted and distinct.
void fill_tables(Layout& layout) {
    for (int tile = 0; tile < layout.count; ++tile) {
        for (const int other : neighbor_tiles(layout, tile)) {
            if (other >= 0) layout.neighbors[tile] |= bit_at(other);
        }
        layout.neighbor_sides[tile] = neighbor_sides(layout, tile);
        layout.single_arc[tile] = single_arc_table(layout, tile);
    }
    for (int i = 0; i < kMaxTiles / 8; ++i) {
        for (unsigned byte = 1; byte < 256; ++byte) {
            layout.neighbors_by_byte[i][byte] =
                layout.neighbors_by_byte[i][byte & (byte - 1)] | layout.neighbors[8 * i + lsb(byte)];
        }
    }
    find_grid_stride(layout);
}

void set_color_sets(Layout& layout) {
    for (int tile = 0; tile < layout.count; ++tile) layout.colors[layout.places[tile].color] |= bit_at(tile);
}

// Returns the tiles without a pawn at the beginning of a game.
Bitboard empty_tiles(const std::array<Bitboard, kColors>& colors, int players) {
    return colors[3] | (players == 2 ? colors[2] : 0);
}

// Returns the first problem of a list of tiles that does not depend on adjacency, or nothing.
std::optional<LayoutResult> check_tile_list(std::span<const Place> places, int players) {
    const std::size_t size = places.size() / kColors;
    if (players < 2 || players > kMaxPlayers) return LayoutResult{nullptr, LayoutProblem::player_count, -1};
    if (places.empty() || places.size() > kMaxTiles || places.size() % kColors != 0) {
        return LayoutResult{nullptr, LayoutProblem::tile_count, -1};
    }
    std::array<std::size_t, kColors> count_by_color{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [q, r, color] = places[i];
        const int index = static_cast<int>(i);
        if (q < 0 || q >= kLetters || r < 0 || r > kMaxNumber)
            return LayoutResult{nullptr, LayoutProblem::invalid_place, index};
        if (color < 0 || color >= kColors) return LayoutResult{nullptr, LayoutProblem::invalid_color, index};
        const auto same = [&](const Place& other) { return other.q == places[i].q && other.r == places[i].r; };
        if (std::any_of(places.begin(), places.begin() + index, same)) {
            return LayoutResult{nullptr, LayoutProblem::duplicate_place, index};
        }
        if (++count_by_color[color] > size) {
            return LayoutResult{nullptr, LayoutProblem::uneven_colors, index};
        }
    }
    return std::nullopt;
}

// Returns the first set-up rule about adjacency that the layout breaks, and the tiles that break it.
std::pair<LayoutProblem, Bitboard> find_broken_rule(const Layout& layout) {
    Bitboard too_few_neighbors = 0;
    for (int tile = 0; tile < layout.count; ++tile) {
        if (popcount(layout.neighbors[tile]) < 2) too_few_neighbors |= bit_at(tile);
    }
    if (too_few_neighbors != 0) return {LayoutProblem::fewer_than_two_neighbors, too_few_neighbors};
    Bitboard connected = 1;
    for (Bitboard before_step = 0; connected != before_step;) {
        before_step = connected;
        connected |= layout.neighbors_of(connected);
    }
    const Bitboard disconnected = layout.all_tiles() & ~connected;
    if (disconnected != 0) return {LayoutProblem::not_connected, disconnected};
    Bitboard same_color = 0;
    for (const Bitboard tiles : layout.colors) same_color |= tiles & layout.neighbors_of(tiles);
    if (same_color != 0) return {LayoutProblem::same_color_touches, same_color};
    const Bitboard empty = empty_tiles(layout.colors, layout.players);
    const Bitboard without_empty = layout.all_tiles() & ~empty & ~layout.neighbors_of(empty);
    if (without_empty != 0) return {LayoutProblem::pawn_without_empty_neighbor, without_empty};
    return {LayoutProblem::none, 0};
}

// Returns a random shape of so many tiles, all black: three tiles in a triangle, then tile by tile a random place that
// touches at least two tiles. Coordinates begin at a and 1.
std::vector<Place> random_shape(int tiles, Rng& rng) {
    constexpr int kWidth = 2 * kMaxTiles + 2;  // so wide that a shape that grows from the middle never meets the border
    std::array<std::array<std::uint8_t, kWidth>, kWidth> touch_count{};
    std::vector<Place> shape;
    std::vector<Place> open_places;  // the free places that touch at least two laid tiles
    const auto add_tile = [&](Place place) {
        shape.push_back(place);
        std::erase(open_places, place);
        for (const auto& [dq, dr] : kCircle) {
            const Place next{place.q + dq, place.r + dr, place.color};
            const bool is_taken = std::find(shape.begin(), shape.end(), next) != shape.end();
            if (++touch_count[next.q][next.r] == 2 && !is_taken) open_places.push_back(next);
        }
    };
    constexpr int kMiddle = kMaxTiles + 1;
    for (const auto& [q, r] : {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1)}) {
        add_tile({kMiddle + q, kMiddle + r, kColors - 1});
    }
    while (static_cast<int>(shape.size()) < tiles)
        add_tile(open_places[rng.below(static_cast<unsigned>(open_places.size()))]);

    const int left = std::ranges::min(shape, {}, &Place::q).q;
    const int low = std::ranges::min(shape, {}, &Place::r).r;
    for (Place& place : shape) {
        place.q -= left;
        place.r -= low - 1;
    }
    std::ranges::sort(shape, is_before);
    return shape;
}

// Returns the tiles that break a color rule: they touch a tile of their color, or their pawn touches no empty tile.
Bitboard misplaced_tiles(const Layout& layout, const std::array<Bitboard, kColors>& colors) {
    const Bitboard empty = empty_tiles(colors, layout.players);
    Bitboard result = layout.all_tiles() & ~empty & ~layout.neighbors_of(empty);
    for (const Bitboard tiles : colors) result |= tiles & layout.neighbors_of(tiles);
    return result;
}

// Assigns random colors: shuffles them, then swaps random pairs of which one is misplaced. A swap that misplaces k more
// tiles is accepted with probability 4^-k, which leads out of local minima. Returns false if some tiles are still
// misplaced after the last try.
bool assign_colors(Layout& layout, Rng& rng) {
    const int tries = 200 * layout.count;
    for (int i = 0; i < layout.count; ++i) {
        layout.places[i].color = i % kColors;
        std::swap(layout.places[i].color, layout.places[rng.below(static_cast<unsigned>(i + 1))].color);
    }
    set_color_sets(layout);
    Bitboard misplaced = misplaced_tiles(layout, layout.colors);
    for (int i = 0; i < tries && misplaced != 0; ++i) {
        const int first = lsb(random_bit(misplaced, rng));
        const int other = static_cast<int>(rng.below(static_cast<unsigned>(layout.count)));
        int& color = layout.places[first].color;
        int& other_color = layout.places[other].color;
        if (color == other_color) continue;
        std::array<Bitboard, kColors> swapped = layout.colors;
        swapped[color] ^= bit_at(first) | bit_at(other);
        swapped[other_color] ^= bit_at(first) | bit_at(other);
        const Bitboard misplaced_after = misplaced_tiles(layout, swapped);
        const int added = popcount(misplaced_after) - popcount(misplaced);
        if (added > 0 && (added > 15 || (rng.next() >> (64 - 2 * added)) != 0)) continue;
        std::swap(color, other_color);
        layout.colors = swapped;
        misplaced = misplaced_after;
    }
    return misplaced == 0;
}

}  // namespace

int Layout::find_tile(int q, int r) const {
    const auto end = places.begin() + count;
    const auto result = std::lower_bound(places.begin(), end, Place{q, r, 0}, is_before);
    return result != end && result->q == q && result->r == r ? static_cast<int>(result - places.begin()) : -1;
}

LayoutResult make_layout(std::span<const Place> places, int players) {
    if (const auto refused = check_tile_list(places, players)) return *refused;
    auto layout = std::make_shared<Layout>();
    layout->count = static_cast<int>(places.size());
    layout->players = players;
    std::ranges::copy(places, layout->places.begin());
    std::sort(layout->places.begin(), layout->places.begin() + layout->count, is_before);
    fill_tables(*layout);
    set_color_sets(*layout);
    const auto [problem, tiles] = find_broken_rule(*layout);
    if (problem == LayoutProblem::none) return {std::move(layout), problem, -1};
    for (int i = 0; i < layout->count; ++i) {
        if (contains(tiles, layout->find_tile(places[i].q, places[i].r))) return {nullptr, problem, i};
    }
    return {nullptr, problem, -1};
}

std::shared_ptr<const Layout> empty_layout(int players) {
    if (players < 2 || players > kMaxPlayers) return nullptr;
    auto layout = std::make_shared<Layout>();
    layout->players = players;
    return layout;
}

std::shared_ptr<const Layout> random_layout(int size, int players, std::uint64_t seed) {
    if (size < 4 || size > kMaxTiles / kColors || players < 2 || players > kMaxPlayers) return nullptr;
    Rng rng(seed);
    while (true) {
        const std::vector<Place> shape = random_shape(kColors * size, rng);
        if (std::ranges::max(shape, {}, &Place::q).q >= kLetters) continue;
        auto layout = std::make_shared<Layout>();
        layout->count = kColors * size;
        layout->players = players;
        std::ranges::copy(shape, layout->places.begin());
        fill_tables(*layout);
        if (assign_colors(*layout, rng)) return layout;
    }
}

}  // namespace limina::limit
