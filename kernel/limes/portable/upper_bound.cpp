#include "limes/portable/upper_bound.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "limes/portable/watchman_bound.hpp"

// What is counted here is a relaxation: conditions that every full display keeps, and a best total under them.
//
// The zones of one landscape that hang together on a card are a *part*, and two zones of different cards meet at a
// *seam*: a full square has 48 of them. A territory is made of whole parts, and n parts are joined by n - 1 seams at
// least. What lies within cards is known; what is gained besides is paid for with seams.

namespace limina::limes {

namespace {

constexpr int kSeams = 48;

// The quarters nw ne sw se of a card; each touches the two that do not lie across from it.
constexpr int across(int quarter) { return 3 - quarter; }

// The sums of the n greatest, for every n.
class LargestSums {
  public:
    LargestSums() = default;
    explicit LargestSums(std::vector<int> numbers) : sums_(numbers.size() + 1) {
        std::ranges::sort(numbers, std::greater{});
        std::partial_sum(numbers.begin(), numbers.end(), sums_.begin() + 1);
    }
    int size() const { return static_cast<int>(sums_.size()) - 1; }
    int sum(int n) const { return sums_[std::clamp(n, 0, size())]; }

  private:
    std::vector<int> sums_{0};
};

struct Part {
    Landscape landscape;
    unsigned quarters = 0;  // of its card
};

bool touch(unsigned quarters, unsigned others) {
    for (int one = 0; one < 4; ++one) {
        for (int other = 0; other < 4; ++other) {
            if (contains(quarters, one) && contains(others, other) && one != other && across(one) != other) return true;
        }
    }
    return false;
}

struct CardFace {
    std::array<Landscape, 4> landscape;
    std::array<bool, 4> hut;
    std::vector<Part> parts;

    explicit CardFace(const Card& card) {
        constexpr std::array<int, 4> kQuarters{0, 1, 8, 9};
        const Ground& ground = card.turned(0);
        for (std::size_t i = 0; i < 4; ++i) {
            const int zone = kQuarters[i];
            landscape[i] = static_cast<Landscape>(contains(ground.lo, zone) + 2 * contains(ground.hi, zone));
            hut[i] = contains(ground.huts, zone);
        }
        for (int i = 0; i < 4; ++i) {
            Part part{landscape[i], 1U << i};
            if (part.landscape != Landscape::rock) {
                // Those before that it touches become one with it.
                std::erase_if(parts, [&](const Part& other) {
                    if (other.landscape != part.landscape || !touch(part.quarters, other.quarters)) return false;
                    part.quarters |= other.quarters;
                    return true;
                });
            }
            parts.push_back(part);
        }
    }

    int huts_beside(const Part& part) const {
        int count = 0;
        for (int i = 0; i < 4; ++i) count += hut[i] && touch(part.quarters, 1U << i);
        return count;
    }
    int count_parts_beside(const Part& part, auto matches) const {
        return static_cast<int>(std::ranges::count_if(parts, [&](const Part& other) {
            return matches(other.landscape) && touch(part.quarters, other.quarters);
        }));
    }
    // The most forest zones along one of its four sides.
    int max_forest_on_side() const {
        constexpr std::array<std::array<std::size_t, 2>, 4> kSides{{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};
        int best = 0;
        for (const auto& [one, other] : kSides) best = std::max(best, is_forest(one) + is_forest(other));
        return best;
    }
    unsigned forest_quarters() const {
        unsigned quarters = 0;
        for (std::size_t i = 0; i < 4; ++i) quarters |= static_cast<unsigned>(is_forest(i)) << i;
        return quarters;
    }
    bool is_forest(std::size_t quarter) const { return landscape[quarter] == Landscape::forest; }
};

// What the known cards offer. Where one worker alone counts (index 0), what lies beside two parts of his on one card
// counts once: two parts of a landscape on a card lie opposite each other and touch the same two zones.
struct DealCounts {
    std::array<LargestSums, 4> zones;              // of the parts, by landscape
    std::array<LargestSums, 2> huts_by_water;      // beside a part of water
    std::array<LargestSums, 2> non_forest_beside;  // beside a part of forest: parts of other landscapes
    std::array<LargestSums, 2> rocks_beside;       // ... towers
    std::array<std::array<LargestSums, 2>, 2>
        forest_parts_beside;  // beside a part of field or of water: parts of forest
    int total_huts = 0, tower_count = 0;
    int max_seen_by_one = 0;                               // the most that one watchman sees
    std::array<int, kWorkersPerPlayer + 1> max_seen_by{};  // ... that so many see

    explicit DealCounts(std::span<const Card> cards) {
        std::array<std::vector<int>, 4> zones_by_landscape;
        std::array<std::vector<int>, 2> huts_by_water_of, non_forest_beside_of, rocks_beside_of;
        std::array<std::array<std::vector<int>, 2>, 2> forest_parts_of;
        std::vector<int> forest_sides;
        std::vector<CardFace> faces;
        for (const Card& card : cards) faces.emplace_back(card);
        for (const CardFace& face : faces) {
            forest_sides.push_back(face.max_forest_on_side());
            total_huts += static_cast<int>(std::ranges::count(face.hut, true));
            std::array<int, 4> parts_seen{};
            for (const Part& part : face.parts) {
                const auto landscape_index = static_cast<std::size_t>(part.landscape);
                zones_by_landscape[landscape_index].push_back(popcount(part.quarters));
                const bool is_second = parts_seen[landscape_index]++ > 0;
                const auto add = [&](std::array<std::vector<int>, 2>& lists, int count) {
                    lists[0].push_back(is_second ? 0 : count);
                    lists[1].push_back(count);
                };
                const auto is_landscape = [](Landscape landscape) {
                    return [=](Landscape other) { return other == landscape; };
                };
                if (part.landscape == Landscape::water) add(huts_by_water_of, face.huts_beside(part));
                if (part.landscape == Landscape::forest) {
                    add(non_forest_beside_of,
                        face.count_parts_beside(part, [](Landscape other) { return other != Landscape::forest; }));
                    add(rocks_beside_of, face.count_parts_beside(part, is_landscape(Landscape::rock)));
                }
                if (part.landscape == Landscape::field || part.landscape == Landscape::water) {
                    const int count = face.count_parts_beside(part, is_landscape(Landscape::forest));
                    forest_parts_of[landscape_index][0].push_back(std::min(count, 1));
                    forest_parts_of[landscape_index][1].push_back(count);
                }
                tower_count += part.landscape == Landscape::rock;
            }
        }
        for (std::size_t i = 0; i < 4; ++i) zones[i] = LargestSums(zones_by_landscape[i]);
        for (std::size_t i = 0; i < 2; ++i) {
            huts_by_water[i] = LargestSums(huts_by_water_of[i]);
            non_forest_beside[i] = LargestSums(non_forest_beside_of[i]);
            rocks_beside[i] = LargestSums(rocks_beside_of[i]);
            for (std::size_t landscape_index = 0; landscape_index < 2; ++landscape_index)
                forest_parts_beside[landscape_index][i] = LargestSums(forest_parts_of[landscape_index][i]);
        }
        find_max_seen_by_one(faces, forest_sides);
        std::vector<unsigned> forest_by_card;
        for (const CardFace& face : faces) forest_by_card.push_back(face.forest_quarters());
        max_seen_by = limes::max_seen_by_watchmen(forest_by_card);
    }

  private:
    // A watchman looks along sides of the three other cards of his row and the three of his column, and on his own.
    void find_max_seen_by_one(const std::vector<CardFace>& faces, const std::vector<int>& forest_sides) {
        for (std::size_t own = 0; own < faces.size(); ++own) {
            std::vector<int> other_sides = forest_sides;
            other_sides.erase(other_sides.begin() + static_cast<std::ptrdiff_t>(own));
            const int forest_on_others = LargestSums(other_sides).sum(6);
            for (std::size_t quarter = 0; quarter < 4; ++quarter) {
                if (faces[own].landscape[quarter] != Landscape::rock) continue;
                int forest_on_own_card = 0;
                for (std::size_t other = 0; other < 4; ++other) {
                    if (other != quarter && other != 3 - quarter) forest_on_own_card += faces[own].is_forest(other);
                }
                max_seen_by_one = std::max(max_seen_by_one, forest_on_own_card + forest_on_others);
            }
        }
    }
};

// The most pairs of neighbours between so many and so many others: planar, since all are areas of one display.
int max_planar_pairs(int first_count, int others) {
    const int all_pairs = first_count * others;
    return first_count >= 2 && others >= 2 ? std::min(all_pairs, 2 * (first_count + others) - 4) : all_pairs;
}

// How often scoring zones of a landscape meet something to be counted over a seam, if so many independent seams join
// them. Negative where they cannot be joined.
//
// Seams come in rings of four, around the nine points where four cards meet, and singly, twelve at the edge; a zone
// lies at one of these places or at none. At a ring n zones of one landscape are joined by j seams and meet c others:
// n, j, c is 1, 0, 2 or 2, 1, 2 or (opposite each other) 2, 0, 4 or 3, 2, 1 or 4, 3, 0, so c <= 2n - 2j and c <= 3n -
// 4j. At the edge it is less.
int max_contacts(int zones, int joins) { return std::min(2 * zones - 2 * joins, 3 * zones - 4 * joins); }

// How many seams it takes to join so many zones by so many joins, with those that can be of no more use: one where a
// ring is all of one landscape, of which there are three for each join above two thirds of the zones.
int seams_needed(int zones, int joins) { return joins + std::max(0, 3 * joins - 2 * zones); }

// ... and, of water, where three of a ring are: the fourth zone's hut counts once.
int seams_needed_for_water(int zones, int joins) {
    return joins + std::max({0, 3 * joins - 2 * zones, (2 * joins - zones + 1) / 2});
}

// How many workers of each profession score.
struct ScoringWorkers {
    int farmers, fishermen, woodcutters, watchmen;
};

int best_total(const DealCounts& deal, const ScoringWorkers& workers) {
    const auto landscape_index = [](Landscape landscape) { return static_cast<std::size_t>(landscape); };
    const LargestSums& fields = deal.zones[landscape_index(Landscape::field)];
    const LargestSums& waters = deal.zones[landscape_index(Landscape::water)];
    const LargestSums& forests = deal.zones[landscape_index(Landscape::forest)];
    const auto [farmers, fishermen, woodcutters, watchmen] = workers;
    if (farmers > fields.size() || fishermen > waters.size() || woodcutters > forests.size() ||
        watchmen > deal.tower_count)
        return 0;
    const int seen_by_watchmen = std::min(deal.max_seen_by[watchmen], watchmen * deal.max_seen_by_one);
    int best = 0;
    // So many parts are in territories that score.
    for (int field_parts = farmers; field_parts <= (farmers > 0 ? fields.size() : 0); ++field_parts) {
        if (max_contacts(fields.sum(field_parts), field_parts - farmers) < 0) break;
        for (int water_parts = fishermen; water_parts <= (fishermen > 0 ? waters.size() : 0); ++water_parts) {
            // A fisherman counts huts beside parts of his water on their cards, and others over a seam.
            const int water_contacts = max_contacts(waters.sum(water_parts), water_parts - fishermen);
            if (water_contacts < 0) break;
            const int huts_within = deal.huts_by_water[fishermen > 1].sum(water_parts);
            const int huts_counted = std::min(max_planar_pairs(fishermen, deal.total_huts),
                                              huts_within + std::min(water_contacts, 2 * deal.total_huts));
            const int idle_field_parts = fields.size() - field_parts, idle_water_parts = waters.size() - water_parts;
            for (int forest_parts = woodcutters; forest_parts <= (woodcutters > 0 ? forests.size() : 0);
                 ++forest_parts) {
                const int forest_contacts = max_contacts(forests.sum(forest_parts), forest_parts - woodcutters);
                const int seams = kSeams - seams_needed(fields.sum(field_parts), field_parts - farmers) -
                                  seams_needed_for_water(waters.sum(water_parts), water_parts - fishermen) -
                                  seams_needed(forests.sum(forest_parts), forest_parts - woodcutters);
                if (forest_contacts < 0 || seams < 0) break;
                // A woodcutter counts each territory once: of those where somebody scores he may have them all, for
                // towers and other territories it is as with the huts.
                const int non_forest_within =
                    std::min(deal.non_forest_beside[woodcutters > 1].sum(forest_parts),
                             deal.rocks_beside[woodcutters > 1].sum(forest_parts) +
                                 deal.forest_parts_beside[0][woodcutters > 1].sum(idle_field_parts) +
                                 deal.forest_parts_beside[1][woodcutters > 1].sum(idle_water_parts));
                const int territories_counted =
                    std::min(max_planar_pairs(woodcutters, deal.tower_count + idle_field_parts + idle_water_parts),
                             non_forest_within + forest_contacts);
                const int counted = std::min(
                    huts_counted + territories_counted,
                    std::min(huts_counted, huts_within) + std::min(territories_counted, non_forest_within) + seams);
                best = std::max(
                    best, fields.sum(field_parts) + woodcutters * (farmers + fishermen) + counted + seen_by_watchmen);
            }
        }
    }
    return best;
}

}  // namespace

int upper_bound(std::span<const Card> cards) {
    const DealCounts deal(cards);
    int best = 0;
    for (int farmers = 0; farmers <= kWorkersPerPlayer; ++farmers) {
        for (int fishermen = 0; farmers + fishermen <= kWorkersPerPlayer; ++fishermen) {
            for (int woodcutters = 0; farmers + fishermen + woodcutters <= kWorkersPerPlayer; ++woodcutters) {
                for (int watchmen = 0; farmers + fishermen + woodcutters + watchmen <= kWorkersPerPlayer; ++watchmen) {
                    best = std::max(best, best_total(deal, {farmers, fishermen, woodcutters, watchmen}));
                }
            }
        }
    }
    return best;
}

}  // namespace limina::limes
