#include "limes/evaluator.hpp"

#include <algorithm>
#include <cstring>

#include "common/simd.hpp"

namespace limina::limes {

namespace {

constexpr int kPointLevels = std::tuple_size_v<SetsByPoints>;
constexpr int kRock = static_cast<int>(Landscape::rock);

// Returns the levels that contain any of the territories, as a set.
inline unsigned levels_intersecting(const SetsByPoints& levels, Bitboard territories) {
    unsigned intersecting = 0;
    for (int i = 0; i < kPointLevels; i += kSimdLanes) {
        SimdBitboard level;
        std::memcpy(&level, &levels[i], sizeof level);
        intersecting |= nonzero_lanes(SimdBitboard{level & territories}) << i;
    }
    return intersecting;
}

// The zones beside a cell, by its column and row in the display, each from -1 to 4.
constexpr int kCellColumns = kMaxSpan + 2;
constexpr std::array<Bitboard, kCellColumns * kCellColumns> kZonesBesideCell = [] {
    std::array<Bitboard, kCellColumns * kCellColumns> beside{};
    for (int row = -1; row <= kMaxSpan; ++row) {
        for (int column = -1; column <= kMaxSpan; ++column) {
            Bitboard& zones = beside[(row + 1) * kCellColumns + column + 1];
            const auto add = [&](int x, int y) {
                if (x >= 0 && x < 2 * kMaxSpan && y >= 0 && y < 2 * kMaxSpan) zones |= Bitboard{1} << (8 * y + x);
            };
            for (int i = 0; i < 2; ++i) {
                add(2 * column + i, 2 * row - 1);
                add(2 * column + i, 2 * row + 2);
                add(2 * column - 1, 2 * row + i);
                add(2 * column + 2, 2 * row + i);
            }
        }
    }
    return beside;
}();

}  // namespace

Evaluator::Evaluator(const Weights::Stage& stage, const Display& d, const TerritoryMap& map)
    : stage_(stage), display_(d), map_(map), is_full_(d.card_count == kRounds) {
    if (is_full_) return;
    for (int landscape = 0; landscape < 4; ++landscape) {
        // A rock has more empty zones in sight than a territory has beside it.
        const int shift = landscape == kRock;
        for (Bitboard remaining = map.by_landscape[landscape]; remaining != 0;) {
            const int territory = pop_lsb(remaining);
            const int points = std::min<int>(map.points[territory], feature::kPointBuckets - 1);
            const int open_bucket = std::min(map.open_zones[territory] >> shift, feature::kOpenBuckets - 1);
            point_index_[territory] = static_cast<std::uint8_t>(landscape * feature::kPointBuckets + points);
            open_index_[territory] =
                static_cast<std::uint16_t>(point_index_[territory] * feature::kOpenBuckets + open_bucket);
            if (points > 0) more_points_than_[std::min(points, kPointLevels) - 1] |= bit_at(territory);
        }
    }
    for (int i = kPointLevels - 2; i >= 0; --i) more_points_than_[i] |= more_points_than_[i + 1];
    base_ = stage_.initial();
    add_terrain_features([&](int feature) { stage_.add(base_, feature); });
}

// Adds the features that do not depend on workers: the shape and the empty cells.
template <class Add>
inline void Evaluator::add_terrain_features(Add add) const {
    const Display& d = display_;
    add(feature::kShape + (std::min(d.width, d.height) - 1) * kMaxSpan + std::max(d.width, d.height) - 1);
    Bitboard rich_zones = 0;  // zones of territories with at least three points
    for (Bitboard remaining = more_points_than_[2]; remaining != 0;) rich_zones |= map_.zones[pop_lsb(remaining)];
    const std::array<Bitboard, 4> landscapes = {d.field(), d.water(), d.forest(), d.rock()};
    for (Bitboard remaining = open_cells(d); remaining != 0;) {
        const int cell = pop_lsb(remaining);
        const int column = (cell & 7) - d.left, row = (cell >> 3) - d.top;
        const Bitboard beside = kZonesBesideCell[(row + 1) * kCellColumns + column + 1] & d.covered;
        int neighbors_code = 0;
        for (const Bitboard landscape_zones : landscapes) {
            const Bitboard zones = landscape_zones & beside;
            neighbors_code = neighbors_code * feature::kBesideBuckets + (zones != 0) + ((zones & rich_zones) != 0);
        }
        // Cells that only touch corners have no side. They are rare and share the bucket of one side.
        add(feature::kEmptyCell + neighbors_code * feature::kSideBuckets + std::max(1, popcount(beside) / 2) - 1);
    }
}

Evaluator::Occupancy Evaluator::find_occupancy(const WorkersByTerritory& workers) const {
    Occupancy result{workers.occupied, map_.territories & ~workers.occupied, 0, {}};
    Bitboard crowded = 0;
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        const int territory = pop_lsb(remaining);
        result.occupied_zones |= map_.zones[territory];
        if (workers.counts[territory] > 1) crowded |= bit_at(territory);
    }
    for (std::size_t i = 0; i < result.low_scoring.size(); ++i)
        result.low_scoring[i] = (~more_points_than_[i] & workers.occupied) | crowded;
    return result;
}

// Returns the points of the best adjacent territory without a worker, at most 8.
int Evaluator::best_free_neighbor(int territory, Bitboard free) const {
    return std::bit_width(levels_intersecting(more_points_than_, map_.adjacent[territory] & free));
}

// Returns the gain if the adjacent worker who scores least moves to the free territory: 0 without such a worker, 1 for
// no gain, 2 for up to two points, 3 for more.
int Evaluator::spare_level(int territory, const Occupancy& occupancy) const {
    const Bitboard adjacent = map_.adjacent[territory];
    if ((adjacent & occupancy.occupied) == 0) return 0;
    const unsigned levels = levels_intersecting(occupancy.low_scoring, adjacent);
    const int lowest = levels == 0 ? kPointLevels : std::countr_zero(levels);
    const int gain = map_.points[territory] - lowest;
    return gain <= 0 ? 1 : gain <= 2 ? 2 : 3;
}

int Evaluator::supply_feature(const WorkersByTerritory& workers, int supply) const {
    const Bitboard poor_territories = ~more_points_than_[2] & workers.occupied;
    return feature::kSupply + supply * feature::kPoorWorkerBuckets +
           std::min(popcount(poor_territories), feature::kPoorWorkerBuckets - 1);
}

// Adds the features for growth and joins beyond adjacent empty cells. Rocks do neither.
template <class Add>
inline void Evaluator::add_prospect_features(int territory, bool is_occupied, Bitboard occupied_zones, Add add) const {
    if (point_index_[territory] >= kRock * feature::kPointBuckets) return;
    const int index = point_index_[territory] + (is_occupied ? 0 : kRock * feature::kPointBuckets);
    if (const int growth = map_.growth_potential[territory]; growth > 0) {
        add(feature::kGrowth + index * feature::kGrowthBuckets + std::min(growth, feature::kGrowthBuckets) - 1);
    }
    if (const Bitboard joinable = map_.joinable_zones[territory]; joinable != 0) {
        const int join_bucket = (joinable & occupied_zones) != 0 ? 0 : popcount(joinable) <= 2 ? 1 : 2;
        add(feature::kJoin + index * feature::kJoinBuckets + join_bucket);
    }
}

template <class Add>
inline void Evaluator::add_occupied_features(int territory, const Occupancy& occupancy, Add add) const {
    const int best = best_free_neighbor(territory, occupancy.free);
    const int gain = std::clamp(best - map_.points[territory], 0, feature::kGainBuckets - 1);
    add(feature::kOccupied + open_index_[territory] * feature::kGainBuckets + gain);
    add_prospect_features(territory, true, occupancy.occupied_zones, add);
}

template <class Add>
inline void Evaluator::add_free_features(int territory, const Occupancy& occupancy, Add add) const {
    add(feature::kFree + open_index_[territory] * feature::kSpareLevels + spare_level(territory, occupancy));
    add_prospect_features(territory, false, occupancy.occupied_zones, add);
}

template <class Add>
inline void Evaluator::add_all_features(const WorkersByTerritory& workers, int supply, Add add) const {
    const Occupancy occupancy = find_occupancy(workers);
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        const int territory = pop_lsb(remaining);
        add_occupied_features(territory, occupancy, add);
        for (int more = 1; more < workers.counts[territory]; ++more) {
            add(feature::kSecondWorker + best_free_neighbor(territory, occupancy.free));
        }
    }
    for (Bitboard remaining = occupancy.free; remaining != 0;) add_free_features(pop_lsb(remaining), occupancy, add);
    add(supply_feature(workers, supply));
}

float Evaluator::value(const WorkersByTerritory& workers, int supply) const {
    if (is_full_) {
        int points = 0;
        for (Bitboard remaining = workers.occupied; remaining != 0;) points += map_.points[pop_lsb(remaining)];
        return static_cast<float>(points);
    }
    Accumulator sum = base_;
    add_all_features(workers, supply, [&](int feature) { stage_.add(sum, feature); });
    return stage_.output(sum);
}

std::vector<int> Evaluator::features(const WorkersByTerritory& workers, int supply) const {
    std::vector<int> features;
    if (is_full_) return features;
    const auto add = [&](int feature) { features.push_back(feature); };
    add_terrain_features(add);
    add_all_features(workers, supply, add);
    return features;
}

void Evaluator::prepare_moves(const WorkersByTerritory& workers, int supply, Bitboard targets) {
    if (is_full_) {
        current_ = supply_delta_ = Accumulator{};
        for (Bitboard remaining = map_.territories; remaining != 0;) {
            const int territory = pop_lsb(remaining);
            const auto points = static_cast<float>(map_.points[territory]);
            const bool occupied = contains(workers.occupied, territory);
            arrival_delta_[territory] = Accumulator{{}, occupied ? 0 : points};
            if (occupied) {
                current_.linear += points;
                departure_delta_[territory] = Accumulator{{}, workers.counts[territory] > 1 ? 0 : -points};
            }
        }
        return;
    }
    const Occupancy occupancy = find_occupancy(workers);
    current_ = base_;
    const auto occupied_sum = [&](int territory) {
        Accumulator sum{};
        add_occupied_features(territory, occupancy, [&](int feature) { stage_.add(sum, feature); });
        return sum;
    };
    const auto free_sum = [&](int territory) {
        Accumulator sum{};
        add_free_features(territory, occupancy, [&](int feature) { stage_.add(sum, feature); });
        return sum;
    };
    for (Bitboard remaining = occupancy.free; remaining != 0;) {
        const int territory = pop_lsb(remaining);
        const Accumulator as_free = free_sum(territory);
        current_ += as_free;
        if (!contains(targets, territory)) continue;
        arrival_delta_[territory] = occupied_sum(territory);
        arrival_delta_[territory] -= as_free;
    }
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        const int territory = pop_lsb(remaining);
        const Accumulator as_occupied = occupied_sum(territory);
        Accumulator second{};
        stage_.add(second, feature::kSecondWorker + best_free_neighbor(territory, occupancy.free));
        current_ += as_occupied;
        for (int more = 1; more < workers.counts[territory]; ++more) current_ += second;
        arrival_delta_[territory] = second;
        if (workers.counts[territory] > 1) {
            departure_delta_[territory] = Accumulator{};
            departure_delta_[territory] -= second;
        } else {
            departure_delta_[territory] = free_sum(territory);
            departure_delta_[territory] -= as_occupied;
        }
    }
    stage_.add(current_, supply_feature(workers, supply));
    if (supply > 0) {
        Accumulator before{};
        stage_.add(before, supply_feature(workers, supply));
        supply_delta_ = Accumulator{};
        stage_.add(supply_delta_, supply_feature(workers, supply - 1));
        supply_delta_ -= before;
    }
}

}  // namespace limina::limes
