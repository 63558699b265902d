// The value of a land with workers on it, and of all that one worker may change.
//
// A territory without a worker is looked up by landscape, points, openings and by how well a worker beside it could be
// spared; one with a worker by landscape, points, openings and by what he could gain next door; both by what lies
// beyond the empty cells beside them. An empty cell where a card may lie is looked up by how many sides it has and by
// which landscapes lie there, with few or many points: one card cannot enlarge them all. To this come the supply,
// second workers in a territory, and the display's shape. A full display is worth its points.
#pragma once

#include "limes/portable/weights.hpp"
#include "limes/territory_map.hpp"

namespace limina::limes {

// Sets of territories by points, up to eight.
using Levels = std::array<Word, 8>;

class Evaluator {
  public:
    Evaluator(const Values::Stage& stage, const Display& display, const Land& land);

    float value(const Crew& crew, int supply) const;
    // The entries that the value is made of, but for the outlook.
    std::vector<int> entries(const Crew& crew, int supply) const;
    // Prepares `after` for a worker who comes to one of these territories.
    void prepare(const Crew& crew, int supply, Word goals);
    // The value of the workers prepared for.
    float now() const { return full_ ? now_.plain : stage_.worth(now_); }
    // About the value when one worker comes to a territory, from another or (-1) from the supply: what this changes for
    // the territories beside both is left out.
    float after(int from, int to) const {
        Sum sum = now_;
        sum += come_[static_cast<std::size_t>(to)];
        sum += from < 0 ? place_ : go_[static_cast<std::size_t>(from)];
        return full_ ? sum.plain : stage_.worth(sum);
    }

  private:
    // What the entries of a territory depend on besides the land.
    struct Company {
        Word standing, free, taken_zones;
        Levels lows;  // of k: the territories whose worker scores at most k, or who has company
    };
    Company company(const Crew& crew) const;

    template <class Add>
    void taken(int number, const Company& company, Add add) const;
    template <class Add>
    void free(int number, const Company& company, Add add) const;
    template <class Add>
    void prospects(int number, bool taken, Word taken_zones, Add add) const;
    template <class Add>
    void terrain(Add add) const;
    template <class Add>
    void all(const Crew& crew, int supply, Add add) const;
    int best_beside(int number, Word free) const;
    int spared(int number, const Company& company) const;
    int supply_entry(const Crew& crew, int supply) const;

    const Values::Stage& stage_;
    const Display& display_;
    const Land& land_;
    bool full_;
    Sum bare_;                               // of a display without workers, but for its territories
    Levels at_least_{};                      // of k: the territories with more than k points
    std::array<std::uint8_t, 64> ground_;    // of each territory: landscape and points
    std::array<std::uint16_t, 64> opening_;  // ... and openings
    Sum now_, place_;
    std::array<Sum, 64> come_, go_;
};

}  // namespace limina::limes
