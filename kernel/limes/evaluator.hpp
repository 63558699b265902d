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
using SetsByPoints = std::array<Bitboard, 8>;

class Evaluator {
  public:
    Evaluator(const Weights::Stage& stage, const Display& display, const TerritoryMap& map);

    float value(const WorkersByTerritory& workers, int supply) const;
    // The entries that the value is made of, but for the outlook.
    std::vector<int> features(const WorkersByTerritory& workers, int supply) const;
    // Prepares `value_after` for a worker who comes to one of these territories.
    void prepare_moves(const WorkersByTerritory& workers, int supply, Bitboard targets);
    // The value of the workers prepared for.
    float current_value() const { return is_full_ ? current_.linear : stage_.output(current_); }
    // About the value when one worker comes to a territory, from another or (-1) from the supply: what this changes for
    // the territories beside both is left out.
    float value_after(int from, int to) const {
        Accumulator sum = current_;
        sum += arrival_delta_[to];
        sum += from < 0 ? supply_delta_ : departure_delta_[from];
        return is_full_ ? sum.linear : stage_.output(sum);
    }

  private:
    // What the entries of a territory depend on besides the land.
    struct Occupancy {
        Bitboard occupied, free, taken_zones;
        SetsByPoints low_scoring;  // of k: the territories whose worker scores at most k, or who has company
    };
    Occupancy find_occupancy(const WorkersByTerritory& workers) const;

    template <class Add>
    void add_occupied_features(int territory, const Occupancy& find_occupancy, Add add) const;
    template <class Add>
    void add_free_features(int territory, const Occupancy& find_occupancy, Add add) const;
    template <class Add>
    void add_prospect_features(int territory, bool taken, Bitboard taken_zones, Add add) const;
    template <class Add>
    void add_terrain_features(Add add) const;
    template <class Add>
    void add_all_features(const WorkersByTerritory& workers, int supply, Add add) const;
    int best_free_neighbor(int territory, Bitboard free) const;
    int spare_level(int territory, const Occupancy& find_occupancy) const;
    int supply_feature(const WorkersByTerritory& workers, int supply) const;

    const Weights::Stage& stage_;
    const Display& display_;
    const TerritoryMap& map_;
    bool is_full_;
    Accumulator base_;                          // of a display without workers, but for its territories
    SetsByPoints more_points_than_{};           // of k: the territories with more than k points
    std::array<std::uint8_t, 64> point_index_;  // of each territory: landscape and points
    std::array<std::uint16_t, 64> open_index_;  // ... and openings
    Accumulator current_, supply_delta_;
    std::array<Accumulator, 64> arrival_delta_, departure_delta_;
};

}  // namespace limina::limes
