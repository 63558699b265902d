#include "limes/portable/watchman_bound.hpp"

#include <algorithm>
#include <bit>

// The bound enumerates all zones of the rocks of one, two and three watchmen. For each it assigns the cards to cells
// where their forest is in sight most often. The first forest zone of a card and the others are assigned separately,
// possibly to different cells, so the result is an upper bound. Rocks without watchmen are ignored: they only block
// sight.

namespace limina::limes {

namespace {

constexpr int kZones = 64;
constexpr int kMaxEnumerated = 3;  // watchmen; there are 41,664 positions of three rocks

constexpr bool is_side_by_side(unsigned quarters) { return quarters != 0b1001 && quarters != 0b0110; }

// The forest of a card, up to turning.
enum Shape { no_forest, one_zone, opposite_zones, adjacent_zones, three_zones, four_zones, kShapeCount };

Shape forest_shape(unsigned quarters) {
    switch (std::popcount(quarters)) {
        case 0:
            return no_forest;
        case 1:
            return one_zone;
        case 2:
            return is_side_by_side(quarters) ? adjacent_zones : opposite_zones;
        case 3:
            return three_zones;
        default:
            return four_zones;
    }
}

// Returns the zones in line with the zone, up to the next rock in each direction.
Bitboard line_of_sight(int zone, Bitboard rocks) {
    Bitboard seen = 0;
    const int x = zone % 8, y = zone / 8;
    const auto look = [&](int dx, int dy) {
        for (int u = x + dx, v = y + dy; u >= 0 && u < 8 && v >= 0 && v < 8; u += dx, v += dy) {
            if (contains(rocks, 8 * v + u)) return;
            seen |= bit_at(8 * v + u);
        }
    };
    look(1, 0);
    look(-1, 0);
    look(0, 1);
    look(0, -1);
    return seen;
}

using Cells = std::array<int, kRounds>;

int sum_of_largest(Cells numbers, int n) {
    std::ranges::sort(numbers, std::greater{});
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += numbers[i];
    return sum;
}

// Returns the bound for watchmen on these zones. `cards` is the number of cards of each shape.
int max_seen_from(std::span<const int> watchmen, const std::array<int, kShapeCount>& cards) {
    Bitboard all = 0;
    for (const int zone : watchmen) all |= bit_at(zone);
    std::array<Bitboard, kMaxEnumerated> views{};
    for (std::size_t i = 0; i < watchmen.size(); ++i) views[i] = line_of_sight(watchmen[i], all);
    Cells best_quarter_seen{};
    std::array<Cells, kShapeCount> gain_by_shape{};
    for (int cell = 0; cell < kRounds; ++cell) {
        std::array<int, 4> times_seen{};
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int zone = 16 * (cell / 4) + 2 * (cell % 4) + 8 * (quarter / 2) + quarter % 2;
            for (const Bitboard seen_zones : views) times_seen[quarter] += contains(seen_zones, zone);
        }
        const auto [nw, ne, sw, se] = times_seen;
        const int best = std::max({nw, ne, sw, se}), sum = nw + ne + sw + se;
        best_quarter_seen[cell] = best;
        gain_by_shape[opposite_zones][cell] = std::max(nw + se, ne + sw) - best;
        gain_by_shape[adjacent_zones][cell] = std::max({nw + ne, sw + se, nw + sw, ne + se}) - best;
        gain_by_shape[three_zones][cell] = sum - std::min({nw, ne, sw, se}) - best;
        gain_by_shape[four_zones][cell] = sum - best;
    }
    int total = sum_of_largest(best_quarter_seen, kRounds - cards[no_forest]);
    for (const Shape shape : {opposite_zones, adjacent_zones, three_zones, four_zones}) {
        if (cards[shape] > 0) total += sum_of_largest(gain_by_shape[shape], cards[shape]);
    }
    return total;
}

// Returns the best bound over all zones of the watchmen that are not placed yet.
int max_seen_by(std::span<int> watchmen, std::size_t placed, const std::array<int, kShapeCount>& cards) {
    if (placed == watchmen.size()) return max_seen_from(watchmen, cards);
    int best = 0;
    for (int zone = placed == 0 ? 0 : watchmen[placed - 1] + 1; zone < kZones; ++zone) {
        watchmen[placed] = zone;
        best = std::max(best, max_seen_by(watchmen, placed + 1, cards));
    }
    return best;
}

}  // namespace

std::array<int, kWorkersPerPlayer + 1> max_seen_by_watchmen(std::span<const unsigned> forest) {
    std::array<int, kShapeCount> cards{};
    for (const unsigned quarters : forest) ++cards[forest_shape(quarters)];
    std::array<int, kWorkersPerPlayer + 1> result{};
    if (cards[no_forest] == static_cast<int>(forest.size())) return result;
    std::array<int, kMaxEnumerated> watchmen{};
    for (int n = 1; n <= kMaxEnumerated; ++n) result[n] = max_seen_by(std::span(watchmen).first(n), 0, cards);
    // Removing one of n watchmen does not reduce the points of the others. Summed over the n ways to do it, each
    // watchman counts n - 1 times: so (n - 1) * result[n] <= n * result[n - 1].
    for (int n = kMaxEnumerated + 1; n <= kWorkersPerPlayer; ++n) result[n] = result[n - 1] * n / (n - 1);
    return result;
}

}  // namespace limina::limes
