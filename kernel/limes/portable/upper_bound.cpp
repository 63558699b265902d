#include "limes/portable/upper_bound.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "limes/portable/watchman_bound.hpp"

// The bound is the best total of a relaxation: it replaces the geometry of a display by conditions that every full
// display meets.
//
// A *part* is the connected zones of one landscape on a card. A *seam* is the side between two zones of different
// cards; a full display has 48 of them. A territory consists of whole parts, and n parts need at least n - 1 seams to
// be connected. Contacts within cards are known from the cards; every other contact uses a seam.

namespace limina::limes {

namespace {

constexpr int kSeams = 48;

// Returns the opposite quarter. Quarters are nw, ne, sw, se; a quarter touches all others but the opposite one.
constexpr int across(int quarter) { return 3 - quarter; }

// The sums of the n largest numbers, for every n.
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

// A part of a card.
struct Part {
    Landscape landscape;
    unsigned quarters = 0;  // as bits
};

// Returns true if one of the quarters shares a side with one of the others.
bool touch(unsigned quarters, unsigned others) {
    for (int one = 0; one < 4; ++one) {
        for (int other = 0; other < 4; ++other) {
            if (contains(quarters, one) && contains(others, other) && one != other && across(one) != other) return true;
        }
    }
    return false;
}

// The zones and parts of a card.
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
                // Merges it with the earlier parts that it touches.
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
    // Returns the maximal number of forest zones along one side.
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

// The contacts within the cards of a deal, as sums of the largest. Index 0 is for one worker of the profession, index 1
// for several. Two parts of a landscape on a card are opposite each other and touch the same two zones, which count
// only once for one worker.
struct LargestContactSums {
    std::array<LargestSums, 4> zones;              // of the parts, by landscape
    std::array<LargestSums, 2> huts_by_water;      // huts beside a part of water
    std::array<LargestSums, 2> non_forest_beside;  // parts of other landscapes beside a part of forest
    std::array<LargestSums, 2> rocks_beside;       // rocks beside a part of forest
    // Parts of forest beside a part of field (first index 0) or of water (1).
    std::array<std::array<LargestSums, 2>, 2> forest_parts_beside;
    int total_huts = 0, rock_count = 0;
    int max_seen_by_one = 0;                               // bound of the points of one watchman
    std::array<int, kWorkersPerPlayer + 1> max_seen_by{};  // bound of the points of so many watchmen

    explicit LargestContactSums(std::span<const Card> cards) {
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
                rock_count += part.landscape == Landscape::rock;
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
    // A watchman sees one side of each of the three other cards in their row and column, and zones of their own card.
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

// Returns the maximal number of adjacent pairs between two disjoint sets of territories. The adjacency of areas is a
// planar bipartite graph, which has at most 2n - 4 edges.
int max_planar_pairs(int first_count, int second_count) {
    const int all_pairs = first_count * second_count;
    return first_count >= 2 && second_count >= 2 ? std::min(all_pairs, 2 * (first_count + second_count) - 4)
                                                 : all_pairs;
}

// Returns the maximal number of contacts over seams of `zones` scoring zones of a landscape, if `joins` independent
// seams connect them. Negative if so many joins are impossible.
//
// Seams form rings of four around the nine points where four cards meet; twelve single seams are at the edge. A zone is
// at one of these places or at none. In a ring, n zones of one landscape are connected by j seams and have c contacts:
// (n, j, c) is (1, 0, 2), (2, 1, 2), (2, 0, 4) if they are opposite, (3, 2, 1) or (4, 3, 0). So c <= 2n - 2j and
// c <= 3n - 4j. At the edge there are fewer contacts.
int max_contacts(int zones, int joins) { return std::min(2 * zones - 2 * joins, 3 * zones - 4 * joins); }

// Returns the minimal number of seams that `joins` joins of `zones` zones use up. A ring of one landscape has three
// joins and uses up its fourth seam as well; above two thirds as many joins as zones there are such rings.
int seams_needed(int zones, int joins) { return joins + std::max(0, 3 * joins - 2 * zones); }

// Returns the same for water, where three zones of a ring also use up a seam, because the hut of the fourth zone counts
// only once.
int seams_needed_for_water(int zones, int joins) {
    return joins + std::max({0, 3 * joins - 2 * zones, (2 * joins - zones + 1) / 2});
}

// The number of scoring workers of each profession.
struct ScoringWorkers {
    int farmers, fishermen, woodcutters, watchmen;
};

// Returns the best total of the relaxation with these workers.
int best_total(const LargestContactSums& deal, const ScoringWorkers& workers) {
    const auto landscape_index = [](Landscape landscape) { return static_cast<std::size_t>(landscape); };
    const LargestSums& fields = deal.zones[landscape_index(Landscape::field)];
    const LargestSums& waters = deal.zones[landscape_index(Landscape::water)];
    const LargestSums& forests = deal.zones[landscape_index(Landscape::forest)];
    const auto [farmers, fishermen, woodcutters, watchmen] = workers;
    if (farmers > fields.size() || fishermen > waters.size() || woodcutters > forests.size() ||
        watchmen > deal.rock_count)
        return 0;
    const int seen_by_watchmen = std::min(deal.max_seen_by[watchmen], watchmen * deal.max_seen_by_one);
    int best = 0;
    // Enumerates the number of parts in scoring territories of each landscape.
    for (int field_parts = farmers; field_parts <= (farmers > 0 ? fields.size() : 0); ++field_parts) {
        if (max_contacts(fields.sum(field_parts), field_parts - farmers) < 0) break;
        for (int water_parts = fishermen; water_parts <= (fishermen > 0 ? waters.size() : 0); ++water_parts) {
            // A fisherman scores for huts beside their water, on the same card or over a seam.
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
                // A woodcutter scores once for each adjacent territory. The bound assumes all scoring fields and waters
                // to be adjacent. Rocks and other territories are bounded like huts.
                const int non_forest_within =
                    std::min(deal.non_forest_beside[woodcutters > 1].sum(forest_parts),
                             deal.rocks_beside[woodcutters > 1].sum(forest_parts) +
                                 deal.forest_parts_beside[0][woodcutters > 1].sum(idle_field_parts) +
                                 deal.forest_parts_beside[1][woodcutters > 1].sum(idle_water_parts));
                const int territories_counted =
                    std::min(max_planar_pairs(woodcutters, deal.rock_count + idle_field_parts + idle_water_parts),
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
    const LargestContactSums deal(cards);
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
