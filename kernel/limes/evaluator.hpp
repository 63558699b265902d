// Evaluation of a display: the estimated final total, by features and trained weights (see limes/portable/weights.hpp).
//
// The features of a territory without a worker combine landscape, points, empty zones beside it, and the loss of moving
// a worker there from an adjacent territory. Those of a territory with a worker combine landscape, points, empty zones,
// and the gain of moving to an adjacent one. Both have features for growth and joins beyond adjacent empty cells. An
// empty cell has a feature for the number of its sides and the landscapes there. Further features are the supply,
// second workers in a territory, and the shape of the display. The value of a full display is its total.
#pragma once

#include "limes/portable/weights.hpp"
#include "limes/territory_map.hpp"

namespace limina::limes {

// A set of territories for each number of points from 0 to 7.
using SetsByPoints = std::array<Bitboard, 8>;

// Evaluates one display with different workers. Keeps references to its arguments.
class Evaluator {
  public:
    Evaluator(const Weights::Stage& stage, const Display& display, const TerritoryMap& map);

    // Returns the exact value.
    float value(const WorkersByTerritory& workers, int supply) const;
    // Returns the active features, except those of the remaining deck.
    std::vector<int> features(const WorkersByTerritory& workers, int supply) const;
    // Prepares `current_value`, and `value_after` for moves to the territories with these indices.
    void prepare_moves(const WorkersByTerritory& workers, int supply, Bitboard targets);
    // Returns the value without a move.
    float current_value() const { return is_full_ ? current_.linear : stage_.output(current_); }
    // Returns the approximate value after a worker moves to a territory, from another one or from the supply (-1).
    // Ignores changes of features of adjacent territories.
    float value_after(int from, int to) const {
        Accumulator sum = current_;
        sum += arrival_delta_[to];
        sum += from < 0 ? supply_delta_ : departure_delta_[from];
        return is_full_ ? sum.linear : stage_.output(sum);
    }

  private:
    // The workers as far as features of territories depend on them.
    struct Occupancy {
        Bitboard occupied, free, occupied_zones;
        SetsByPoints low_scoring;  // [k]: territories whose worker scores at most k points, or with several workers
    };
    Occupancy find_occupancy(const WorkersByTerritory& workers) const;

    template <class Add>
    void add_occupied_features(int territory, const Occupancy& occupancy, Add add) const;
    template <class Add>
    void add_free_features(int territory, const Occupancy& occupancy, Add add) const;
    template <class Add>
    void add_prospect_features(int territory, bool is_occupied, Bitboard occupied_zones, Add add) const;
    template <class Add>
    void add_terrain_features(Add add) const;
    template <class Add>
    void add_all_features(const WorkersByTerritory& workers, int supply, Add add) const;
    int best_free_neighbor(int territory, Bitboard free) const;
    int spare_level(int territory, const Occupancy& occupancy) const;
    int supply_feature(const WorkersByTerritory& workers, int supply) const;

    const Weights::Stage& stage_;
    const Display& display_;
    const TerritoryMap& map_;
    bool is_full_;
    Accumulator base_;                          // features that do not depend on workers
    SetsByPoints more_points_than_{};           // [k]: territories with more than k points
    std::array<std::uint8_t, 64> point_index_;  // by territory: landscape and points
    std::array<std::uint16_t, 64> open_index_;  // ... and empty zones
    Accumulator current_, supply_delta_;
    std::array<Accumulator, 64> arrival_delta_, departure_delta_;
};

}  // namespace limina::limes
