#include "limes/portable/watchman_bound.hpp"

#include <algorithm>
#include <bit>

// Towers are put on all zones in turn, for one, two and three watchmen; the cards then go to the cells where their
// forest is seen most often. That a card lies in one cell only is not looked at for a card's first forest zone and its
// others at once, so this is never too little. Other towers than the watchmen's would only hide something.

namespace limina::limes {

namespace {

constexpr int kZones = 64;
constexpr int kTried = 3;  // watchmen; there are 41,664 ways to put three towers

constexpr bool side_by_side(unsigned quarters) { return quarters != 0b1001 && quarters != 0b0110; }

// How a card's forest lies, up to turnings.
enum Shape { none, one, opposite, beside, three, four, kShapes };

Shape shape(unsigned quarters) {
    switch (std::popcount(quarters)) {
        case 0:
            return none;
        case 1:
            return one;
        case 2:
            return side_by_side(quarters) ? beside : opposite;
        case 3:
            return three;
        default:
            return four;
    }
}

// In line with the zone, each way up to the next of the towers.
Word view(int zone, Word towers) {
    Word seen = 0;
    const int x = zone % 8, y = zone / 8;
    const auto look = [&](int dx, int dy) {
        for (int u = x + dx, v = y + dy; u >= 0 && u < 8 && v >= 0 && v < 8; u += dx, v += dy) {
            if (has(towers, 8 * v + u)) return;
            seen |= bit(8 * v + u);
        }
    };
    look(1, 0);
    look(-1, 0);
    look(0, 1);
    look(0, -1);
    return seen;
}

using Cells = std::array<int, kRounds>;

int greatest(Cells numbers, int n) {
    std::ranges::sort(numbers, std::greater{});
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += numbers[at(i)];
    return sum;
}

// The cards of each shape, put where the towers see most of them.
int seen(std::span<const int> towers, const std::array<int, kShapes>& cards) {
    Word all = 0;
    for (const int tower : towers) all |= bit(tower);
    std::array<Word, kTried> by{};
    for (std::size_t i = 0; i < towers.size(); ++i) by[i] = view(towers[i], all);
    Cells first{};
    std::array<Cells, kShapes> more{};
    for (int cell = 0; cell < kRounds; ++cell) {
        std::array<int, 4> often{};
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int zone = 16 * (cell / 4) + 2 * (cell % 4) + 8 * (quarter / 2) + quarter % 2;
            for (const Word each : by) often[at(quarter)] += has(each, zone);
        }
        const auto [nw, ne, sw, se] = often;
        const int most = std::max({nw, ne, sw, se}), sum = nw + ne + sw + se;
        first[at(cell)] = most;
        more[opposite][at(cell)] = std::max(nw + se, ne + sw) - most;
        more[beside][at(cell)] = std::max({nw + ne, sw + se, nw + sw, ne + se}) - most;
        more[three][at(cell)] = sum - std::min({nw, ne, sw, se}) - most;
        more[four][at(cell)] = sum - most;
    }
    int total = greatest(first, kRounds - cards[none]);
    for (const Shape each : {opposite, beside, three, four}) {
        if (cards[each] > 0) total += greatest(more[each], cards[each]);
    }
    return total;
}

int most_seen(std::span<int> towers, std::size_t put, const std::array<int, kShapes>& cards) {
    if (put == towers.size()) return seen(towers, cards);
    int most = 0;
    for (int zone = put == 0 ? 0 : towers[put - 1] + 1; zone < kZones; ++zone) {
        towers[put] = zone;
        most = std::max(most, most_seen(towers, put + 1, cards));
    }
    return most;
}

}  // namespace

std::array<int, kWorkers + 1> sights(std::span<const unsigned> forest) {
    std::array<int, kShapes> cards{};
    for (const unsigned quarters : forest) ++cards[shape(quarters)];
    std::array<int, kWorkers + 1> found{};
    if (cards[none] == static_cast<int>(forest.size())) return found;
    std::array<int, kTried> towers{};
    for (int n = 1; n <= kTried; ++n) found[at(n)] = most_seen(std::span(towers).first(at(n)), 0, cards);
    // Any n - 1 of n see no less without the other one, and each is one of n - 1 of these crews.
    for (int n = kTried + 1; n <= kWorkers; ++n) found[at(n)] = found[at(n - 1)] * n / (n - 1);
    return found;
}

}  // namespace limina::limes
