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
class Greatest {
  public:
    Greatest() = default;
    explicit Greatest(std::vector<int> numbers) : sums_(numbers.size() + 1) {
        std::ranges::sort(numbers, std::greater{});
        std::partial_sum(numbers.begin(), numbers.end(), sums_.begin() + 1);
    }
    int count() const { return static_cast<int>(sums_.size()) - 1; }
    int sum(int n) const { return sums_[at(std::clamp(n, 0, count()))]; }

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
            if (has(quarters, one) && has(others, other) && one != other && across(one) != other) return true;
        }
    }
    return false;
}

struct Face {
    std::array<Landscape, 4> landscape;
    std::array<bool, 4> hut;
    std::vector<Part> parts;

    explicit Face(const Card& card) {
        constexpr std::array<int, 4> kQuarters{0, 1, 8, 9};
        const Ground& ground = card.turned(0);
        for (std::size_t i = 0; i < 4; ++i) {
            const int zone = kQuarters[i];
            landscape[i] = static_cast<Landscape>(has(ground.lo, zone) + 2 * has(ground.hi, zone));
            hut[i] = has(ground.huts, zone);
        }
        for (int i = 0; i < 4; ++i) {
            Part part{landscape[at(i)], 1U << i};
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
        int found = 0;
        for (int i = 0; i < 4; ++i) found += hut[at(i)] && touch(part.quarters, 1U << i);
        return found;
    }
    int beside(const Part& part, auto wanted) const {
        return static_cast<int>(std::ranges::count_if(
            parts, [&](const Part& other) { return wanted(other.landscape) && touch(part.quarters, other.quarters); }));
    }
    // The most forest zones along one of its four sides.
    int forest_side() const {
        constexpr std::array<std::array<std::size_t, 2>, 4> kSides{{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};
        int most = 0;
        for (const auto& [one, other] : kSides) most = std::max(most, forest(one) + forest(other));
        return most;
    }
    unsigned woods() const {
        unsigned found = 0;
        for (std::size_t i = 0; i < 4; ++i) found |= static_cast<unsigned>(forest(i)) << i;
        return found;
    }
    int forest(std::size_t quarter) const { return landscape[quarter] == Landscape::forest; }
};

// What the known cards offer. Where one worker alone counts (index 0), what lies beside two parts of his on one card
// counts once: two parts of a landscape on a card lie opposite each other and touch the same two zones.
struct Offer {
    std::array<Greatest, 4> zones;                 // of the parts, by landscape
    std::array<Greatest, 2> huts;                  // beside a part of water
    std::array<Greatest, 2> clearings;             // beside a part of forest: parts of other landscapes
    std::array<Greatest, 2> rocks;                 // ... towers
    std::array<std::array<Greatest, 2>, 2> woods;  // beside a part of field or of water: parts of forest
    int all_huts = 0, towers = 0;
    int view = 0;                            // the most that one watchman sees
    std::array<int, kWorkers + 1> sights{};  // ... that so many see

    explicit Offer(std::span<const Card> cards) {
        std::array<std::vector<int>, 4> zones_of;
        std::array<std::vector<int>, 2> huts_of, clearings_of, rocks_of;
        std::array<std::array<std::vector<int>, 2>, 2> woods_of;
        std::vector<int> sides;
        std::vector<Face> faces;
        for (const Card& card : cards) faces.emplace_back(card);
        for (const Face& face : faces) {
            sides.push_back(face.forest_side());
            all_huts += static_cast<int>(std::ranges::count(face.hut, true));
            std::array<int, 4> seen{};
            for (const Part& part : face.parts) {
                const auto kind = static_cast<std::size_t>(part.landscape);
                zones_of[kind].push_back(count(part.quarters));
                const bool again = seen[kind]++ > 0;
                const auto add = [&](std::array<std::vector<int>, 2>& lists, int number) {
                    lists[0].push_back(again ? 0 : number);
                    lists[1].push_back(number);
                };
                const auto is = [](Landscape wanted) { return [=](Landscape other) { return other == wanted; }; };
                if (part.landscape == Landscape::water) add(huts_of, face.huts_beside(part));
                if (part.landscape == Landscape::forest) {
                    add(clearings_of, face.beside(part, [](Landscape other) { return other != Landscape::forest; }));
                    add(rocks_of, face.beside(part, is(Landscape::rock)));
                }
                if (part.landscape == Landscape::field || part.landscape == Landscape::water) {
                    const int number = face.beside(part, is(Landscape::forest));
                    woods_of[kind][0].push_back(std::min(number, 1));
                    woods_of[kind][1].push_back(number);
                }
                towers += part.landscape == Landscape::rock;
            }
        }
        for (std::size_t i = 0; i < 4; ++i) zones[i] = Greatest(zones_of[i]);
        for (std::size_t i = 0; i < 2; ++i) {
            huts[i] = Greatest(huts_of[i]);
            clearings[i] = Greatest(clearings_of[i]);
            rocks[i] = Greatest(rocks_of[i]);
            for (std::size_t kind = 0; kind < 2; ++kind) woods[kind][i] = Greatest(woods_of[kind][i]);
        }
        see(faces, sides);
        std::vector<unsigned> woods_on;
        for (const Face& face : faces) woods_on.push_back(face.woods());
        sights = limes::sights(woods_on);
    }

  private:
    // A watchman looks along sides of the three other cards of his row and the three of his column, and on his own.
    void see(const std::vector<Face>& faces, const std::vector<int>& sides) {
        for (std::size_t own = 0; own < faces.size(); ++own) {
            std::vector<int> others = sides;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(own));
            const int beyond = Greatest(others).sum(6);
            for (std::size_t quarter = 0; quarter < 4; ++quarter) {
                if (faces[own].landscape[quarter] != Landscape::rock) continue;
                int near = 0;
                for (std::size_t other = 0; other < 4; ++other) {
                    if (other != quarter && other != 3 - quarter) near += faces[own].forest(other);
                }
                view = std::max(view, near + beyond);
            }
        }
    }
};

// The most pairs of neighbours between so many and so many others: planar, since all are areas of one display.
int planar(int some, int others) {
    const int all = some * others;
    return some >= 2 && others >= 2 ? std::min(all, 2 * (some + others) - 4) : all;
}

// How often scoring zones of a landscape meet something to be counted over a seam, if so many independent seams join
// them. Negative where they cannot be joined.
//
// Seams come in rings of four, around the nine points where four cards meet, and singly, twelve at the edge; a zone
// lies at one of these places or at none. At a ring n zones of one landscape are joined by j seams and meet c others:
// n, j, c is 1, 0, 2 or 2, 1, 2 or (opposite each other) 2, 0, 4 or 3, 2, 1 or 4, 3, 0, so c <= 2n - 2j and c <= 3n -
// 4j. At the edge it is less.
int contacts(int zones, int joins) { return std::min(2 * zones - 2 * joins, 3 * zones - 4 * joins); }

// How many seams it takes to join so many zones by so many joins, with those that can be of no more use: one where a
// ring is all of one landscape, of which there are three for each join above two thirds of the zones.
int seams_of(int zones, int joins) { return joins + std::max(0, 3 * joins - 2 * zones); }

// ... and, of water, where three of a ring are: the fourth zone's hut counts once.
int seams_of_water(int zones, int joins) {
    return joins + std::max({0, 3 * joins - 2 * zones, (2 * joins - zones + 1) / 2});
}

// How many workers of each profession score.
struct Crews {
    int farmers, fishermen, woodcutters, watchmen;
};

int best_total(const Offer& offer, const Crews& crew) {
    const auto kind = [](Landscape landscape) { return static_cast<std::size_t>(landscape); };
    const Greatest& fields = offer.zones[kind(Landscape::field)];
    const Greatest& waters = offer.zones[kind(Landscape::water)];
    const Greatest& forests = offer.zones[kind(Landscape::forest)];
    const auto [a, b, c, d] = crew;
    if (a > fields.count() || b > waters.count() || c > forests.count() || d > offer.towers) return 0;
    const int seen = std::min(offer.sights[at(d)], d * offer.view);
    int most = 0;
    // So many parts are in territories that score.
    for (int f = a; f <= (a > 0 ? fields.count() : 0); ++f) {
        if (contacts(fields.sum(f), f - a) < 0) break;
        for (int w = b; w <= (b > 0 ? waters.count() : 0); ++w) {
            // A fisherman counts huts beside parts of his water on their cards, and others over a seam.
            const int outside = contacts(waters.sum(w), w - b);
            if (outside < 0) break;
            const int huts_within = offer.huts[b > 1].sum(w);
            const int huts = std::min(planar(b, offer.all_huts), huts_within + std::min(outside, 2 * offer.all_huts));
            const int idle_f = fields.count() - f, idle_w = waters.count() - w;
            for (int t = c; t <= (c > 0 ? forests.count() : 0); ++t) {
                const int meeting = contacts(forests.sum(t), t - c);
                const int seams = kSeams - seams_of(fields.sum(f), f - a) - seams_of_water(waters.sum(w), w - b) -
                                  seams_of(forests.sum(t), t - c);
                if (meeting < 0 || seams < 0) break;
                // A woodcutter counts each territory once: of those where somebody scores he may have them all, for
                // towers and other territories it is as with the huts.
                const int within = std::min(
                    offer.clearings[c > 1].sum(t),
                    offer.rocks[c > 1].sum(t) + offer.woods[0][c > 1].sum(idle_f) + offer.woods[1][c > 1].sum(idle_w));
                const int clearings = std::min(planar(c, offer.towers + idle_f + idle_w), within + meeting);
                const int counted =
                    std::min(huts + clearings, std::min(huts, huts_within) + std::min(clearings, within) + seams);
                most = std::max(most, fields.sum(f) + c * (a + b) + counted + seen);
            }
        }
    }
    return most;
}

}  // namespace

int bound(std::span<const Card> cards) {
    const Offer offer(cards);
    int most = 0;
    for (int a = 0; a <= kWorkers; ++a) {
        for (int b = 0; a + b <= kWorkers; ++b) {
            for (int c = 0; a + b + c <= kWorkers; ++c) {
                for (int d = 0; a + b + c + d <= kWorkers; ++d) {
                    most = std::max(most, best_total(offer, {a, b, c, d}));
                }
            }
        }
    }
    return most;
}

}  // namespace limina::limes
