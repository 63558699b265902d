#include "limes/territory_map.hpp"

#include <cstring>

#include "limes/zones.hpp"

namespace limina::limes {

namespace {

constexpr Bitboard kFirstColumn = 0x0101010101010101;
constexpr Bitboard kFirstRow = 0xff;

int landscape_of(const Display& d, int zone) { return contains(d.ground.lo, zone) + 2 * contains(d.ground.hi, zone); }

SimdBitboard load_lanes(const Bitboard* words) {
    SimdBitboard lanes;
    std::memcpy(&lanes, words, sizeof lanes);
    return lanes;
}

void store_bytes(const SimdBitboard& numbers, std::uint8_t* bytes, int first = 0) {
    for (int i = first; i < kSimdLanes; ++i) bytes[i] = static_cast<std::uint8_t>(get_lane(numbers, i));
}

int add_territory(TerritoryMap& map, int landscape) {
    const int territory = landscape == static_cast<int>(Landscape::rock) ? 63 - map.rock_count++ : map.non_rock_count++;
    map.territories |= bit_at(territory);
    map.by_landscape[landscape] |= bit_at(territory);
    map.adjacent[territory] = 0;
    return territory;
}

void merge_territories(TerritoryMap& map, int into, int merged, int landscape) {
    for (Bitboard remaining = map.zones[merged]; remaining != 0;)
        map.territory_of_zone[pop_lsb(remaining)] = static_cast<std::uint8_t>(into);
    for (Bitboard remaining = map.adjacent[merged]; remaining != 0;) {
        Bitboard& neighbors = map.adjacent[pop_lsb(remaining)];
        neighbors = (neighbors & ~bit_at(merged)) | bit_at(into);
    }
    map.zones[into] |= map.zones[merged];
    map.adjacent[into] |= map.adjacent[merged];
    map.zones[merged] = map.adjacent[merged] = 0;
    map.territories &= ~bit_at(merged);
    map.by_landscape[landscape] &= ~bit_at(merged);
}

Bitboard neighbors_of_zone(int zone) { return neighbor_zones<Bitboard>(bit_at(zone)); }

void add_zone(const Display& d, Bitboard placed, int zone, TerritoryMap& map) {
    const int landscape = landscape_of(d, zone);
    int territory = -1;
    if (landscape != static_cast<int>(Landscape::rock)) {
        for (Bitboard neighbors = neighbors_of_zone(zone) & placed; neighbors != 0;) {
            const int neighbor = pop_lsb(neighbors);
            if (landscape_of(d, neighbor) != landscape) continue;
            const int other_territory = map.territory_of_zone[neighbor];
            if (territory < 0) {
                territory = other_territory;
            } else if (territory != other_territory) {
                merge_territories(map, territory, other_territory, landscape);
            }
        }
    }
    if (territory < 0) {
        territory = add_territory(map, landscape);
        map.zones[territory] = 0;
    }
    map.zones[territory] |= bit_at(zone);
    map.territory_of_zone[zone] = static_cast<std::uint8_t>(territory);
}

// Returns the zones that touch the empty cells of the given empty zones. For empty cells beyond the left and top edge,
// the neighbor in the same cell of each zone at the edge.
SimdBitboard zones_beyond_gaps(const SimdBitboard& empty, const SimdBitboard& zones, Bitboard left_edge,
                               Bitboard top_edge) {
    constexpr Bitboard kEvenColumns = 0x5555555555555555, kEvenRows = 0x00ff00ff00ff00ff;
    SimdBitboard cells = (empty | empty >> 1) & kEvenColumns;
    cells |= cells << 1;
    cells = (cells | cells >> 8) & kEvenRows;
    cells |= cells << 8;
    const SimdBitboard on_left_edge = zones & left_edge, on_top_edge = zones & top_edge;
    return neighbor_zones(cells) | (on_left_edge & kEvenRows) << 8 | (on_left_edge & ~kEvenRows) >> 8 |
           (on_top_edge & kEvenColumns) << 1 | (on_top_edge & ~kEvenColumns) >> 1;
}

void set_adjacent(TerritoryMap& map, int a, int b) {
    if (a == b) return;
    map.adjacent[a] |= bit_at(b);
    map.adjacent[b] |= bit_at(a);
}

}  // namespace

void find_territories(const Display& d, TerritoryMap& map) {
    map.territories = 0;
    map.by_landscape = {};
    map.non_rock_count = map.rock_count = 0;
    map.zones.fill(0);
    map.adjacent.fill(0);
    const Links<Bitboard> links = find_links<Bitboard>(d);
    for (Bitboard remaining = d.covered; remaining != 0;) {
        const Bitboard territory_zones = flood_fill(isolate_lsb(remaining), links);
        remaining &= ~territory_zones;
        const int territory = add_territory(map, landscape_of(d, lsb(territory_zones)));
        map.zones[territory] = territory_zones;
        for (Bitboard zones = territory_zones; zones != 0;)
            map.territory_of_zone[pop_lsb(zones)] = static_cast<std::uint8_t>(territory);
    }
    for (Bitboard remaining = d.covered & (d.covered >> 1) & kNotLastColumn & ~links.east; remaining != 0;) {
        const int zone = pop_lsb(remaining);
        set_adjacent(map, map.territory_of_zone[zone], map.territory_of_zone[zone + 1]);
    }
    for (Bitboard remaining = d.covered & (d.covered >> 8) & ~links.south; remaining != 0;) {
        const int zone = pop_lsb(remaining);
        set_adjacent(map, map.territory_of_zone[zone], map.territory_of_zone[zone + 8]);
    }
}

void add_card_to_map(const Display& d, const TerritoryMap& before, int corner, TerritoryMap& map) {
    map.territories = before.territories;
    map.by_landscape = before.by_landscape;
    map.non_rock_count = before.non_rock_count;
    map.rock_count = before.rock_count;
    map.territory_of_zone = before.territory_of_zone;
    // Copies only the entries in use, with space for the four zones of the card.
    const std::size_t low_bytes = sizeof(Bitboard) * ((before.non_rock_count + 4 + 7) / 8 * 8);
    const std::size_t high_bytes = sizeof(Bitboard) * ((before.rock_count + 4 + 7) / 8 * 8);
    if (low_bytes + high_bytes >= sizeof map.zones) {
        map.zones = before.zones;
        map.adjacent = before.adjacent;
    } else {
        const std::size_t from = (sizeof map.zones - high_bytes) / sizeof(Bitboard);
        std::memcpy(map.zones.data(), before.zones.data(), low_bytes);
        std::memcpy(map.adjacent.data(), before.adjacent.data(), low_bytes);
        std::memcpy(map.zones.data() + from, before.zones.data() + from, high_bytes);
        std::memcpy(map.adjacent.data() + from, before.adjacent.data() + from, high_bytes);
    }
    Bitboard placed = d.covered & ~(kCardZones << corner);
    for (const int offset : kQuarterOffsets) {
        add_zone(d, placed, corner + offset, map);
        placed |= bit_at(corner + offset);
    }
    for (const int offset : kQuarterOffsets) {
        const int territory = map.territory_of_zone[corner + offset];
        for (Bitboard neighbors = neighbors_of_zone(corner + offset) & d.covered; neighbors != 0;) {
            set_adjacent(map, territory, map.territory_of_zone[pop_lsb(neighbors)]);
        }
    }
}

void score_territories(const Display& d, TerritoryMap& map) {
    // Empty zones to the left and above are not in the bitboard, because the display is at its corner.
    const Bitboard left_edge = d.width < kMaxSpan ? kFirstColumn : 0;
    const Bitboard top_edge = d.height < kMaxSpan ? kFirstRow : 0;
    const Bitboard field = d.field(), water = d.water(), forest = d.forest(), rock = d.rock();
    for (int i = 0; i < map.non_rock_count; i += kSimdLanes) {
        const SimdBitboard zones = load_lanes(&map.zones[i]);
        const SimdBitboard neighbors = neighbor_zones(zones);
        store_bytes(popcounts(neighbors & ~d.covered) + popcounts(zones & left_edge) + popcounts(zones & top_edge),
                    &map.open_zones[i]);
        const SimdBitboard adjacent_territories = load_lanes(&map.adjacent[i]);
        store_bytes(popcounts((zones & field) | (neighbors & d.ground.huts & nonzero_mask(zones & water)) |
                              (adjacent_territories & nonzero_mask(zones & forest))),
                    &map.points[i]);
        const SimdBitboard beyond =
            zones_beyond_gaps(neighbors & ~d.covered, zones, left_edge, top_edge) & d.covered & ~zones;
        const SimdBitboard is_field = nonzero_mask(zones & field), is_water = nonzero_mask(zones & water),
                           is_forest = nonzero_mask(zones & forest);
        const SimdBitboard joinable = beyond & ((is_field & field) | (is_water & water) | (is_forest & forest));
        std::memcpy(&map.joinable_zones[i], &joinable, sizeof joinable);
        store_bytes(popcounts((joinable & is_field) |
                              (beyond & ~neighbors & ((is_water & d.ground.huts) | (is_forest & ~forest)))),
                    &map.growth_potential[i]);
    }
    const Bitboard right_column = kFirstColumn << (2 * d.width - 1);
    const Bitboard bottom_row = kFirstRow << 8 * (2 * d.height - 1);
    const Bitboard more_columns = static_cast<std::uint64_t>(2 * (kMaxSpan - d.width)),
                   more_rows = static_cast<std::uint64_t>(2 * (kMaxSpan - d.height));
    constexpr int kLast = 64 - kSimdLanes;
    for (int from = kLast; from > kLast - map.rock_count; from -= kSimdLanes) {
        const SimdBitboard zones = load_lanes(&map.zones[from]);
        const SimdBitboard seen = line_of_sight(zones, rock);
        // With very many territories the first of these lanes hold other territories than rocks.
        const int first = from < map.non_rock_count ? map.non_rock_count - from : 0;
        store_bytes(popcounts(seen & forest), &map.points[from], first);
        // To the right and below, empty zones are in the line of sight. Those to the left and above are added if the
        // line of sight to the opposite edge is blocked, else the same cells would count twice.
        const SimdBitboard left_only = nonzero_mask(seen & left_edge) & ~nonzero_mask(seen & right_column);
        const SimdBitboard top_only = nonzero_mask(seen & top_edge) & ~nonzero_mask(seen & bottom_row);
        store_bytes(popcounts(seen & ~d.covered) + (left_only & more_columns) + (top_only & more_rows),
                    &map.open_zones[from], first);
    }
}

WorkersByTerritory workers_by_territory(const Display& d, const TerritoryMap& map) {
    WorkersByTerritory workers;
    for (Bitboard remaining = d.workers(); remaining != 0;) {
        const int zone = pop_lsb(remaining);
        const int territory = map.territory_of_zone[zone];
        if (!contains(workers.occupied, territory)) workers.counts[territory] = 0;
        workers.occupied |= bit_at(territory);
        workers.counts[territory] = static_cast<std::uint8_t>(workers.counts[territory] + d.workers_on(zone));
    }
    return workers;
}

}  // namespace limina::limes
