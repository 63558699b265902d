#include "limes/territory_map.hpp"

#include <cstring>

#include "limes/zones.hpp"

namespace limina::limes {

namespace {

constexpr Word kFirstColumn = 0x0101010101010101;
constexpr Word kFirstRow = 0xff;

int kind_of(const Display& d, int zone) { return has(d.ground.lo, zone) + 2 * has(d.ground.hi, zone); }

Lanes load(const Word* words) {
    Lanes lanes;
    std::memcpy(&lanes, words, sizeof lanes);
    return lanes;
}

void store(const Lanes& numbers, std::uint8_t* bytes, int first = 0) {
    for (int i = first; i < kLanes; ++i) bytes[i] = static_cast<std::uint8_t>(lane(numbers, i));
}

int new_number(Land& land, int kind) {
    const int number = kind == static_cast<int>(Landscape::rock) ? 63 - land.rocks++ : land.soft++;
    land.alive |= bit(number);
    land.of_kind[at(kind)] |= bit(number);
    land.adjacent[at(number)] = 0;
    return number;
}

void join(Land& land, int kept, int gone, int kind) {
    for (Word left = land.zones[at(gone)]; left != 0;) land.label[at(pop(left))] = static_cast<std::uint8_t>(kept);
    for (Word left = land.adjacent[at(gone)]; left != 0;) {
        Word& beside = land.adjacent[at(pop(left))];
        beside = (beside & ~bit(gone)) | bit(kept);
    }
    land.zones[at(kept)] |= land.zones[at(gone)];
    land.adjacent[at(kept)] |= land.adjacent[at(gone)];
    land.zones[at(gone)] = land.adjacent[at(gone)] = 0;
    land.alive &= ~bit(gone);
    land.of_kind[at(kind)] &= ~bit(gone);
}

Word neighbours(int zone) { return touching<Word>(bit(zone)); }

void add_zone(const Display& d, Word laid, int zone, Land& land) {
    const int kind = kind_of(d, zone);
    int own = -1;
    if (kind != static_cast<int>(Landscape::rock)) {
        for (Word beside = neighbours(zone) & laid; beside != 0;) {
            const int other = pop(beside);
            if (kind_of(d, other) != kind) continue;
            const int number = land.label[at(other)];
            if (own < 0) {
                own = number;
            } else if (own != number) {
                join(land, own, number, kind);
            }
        }
    }
    if (own < 0) {
        own = new_number(land, kind);
        land.zones[at(own)] = 0;
    }
    land.zones[at(own)] |= bit(zone);
    land.label[at(zone)] = static_cast<std::uint8_t>(own);
}

// What touches the empty cells that the given empty zones belong to, and beyond the board's edge the card's other zone.
Lanes around(const Lanes& empty, const Lanes& zones, Word left_edge, Word top_edge) {
    constexpr Word kEvenColumns = 0x5555555555555555, kEvenRows = 0x00ff00ff00ff00ff;
    Lanes cells = (empty | empty >> 1) & kEvenColumns;
    cells |= cells << 1;
    cells = (cells | cells >> 8) & kEvenRows;
    cells |= cells << 8;
    const Lanes left = zones & left_edge, top = zones & top_edge;
    return touching(cells) | (left & kEvenRows) << 8 | (left & ~kEvenRows) >> 8 | (top & kEvenColumns) << 1 |
           (top & ~kEvenColumns) >> 1;
}

void set_beside(Land& land, int a, int b) {
    if (a == b) return;
    land.adjacent[at(a)] |= bit(b);
    land.adjacent[at(b)] |= bit(a);
}

}  // namespace

void outline(const Display& d, Land& land) {
    land.alive = 0;
    land.of_kind = {};
    land.soft = land.rocks = 0;
    land.zones.fill(0);
    land.adjacent.fill(0);
    const Links<Word> l = links<Word>(d);
    for (Word left = d.cover; left != 0;) {
        const Word territory = flood(lowest(left), l);
        left &= ~territory;
        const int number = new_number(land, kind_of(d, first(territory)));
        land.zones[at(number)] = territory;
        for (Word zones = territory; zones != 0;) land.label[at(pop(zones))] = static_cast<std::uint8_t>(number);
    }
    for (Word left = d.cover & (d.cover >> 1) & kNotEast & ~l.east; left != 0;) {
        const int zone = pop(left);
        set_beside(land, land.label[at(zone)], land.label[at(zone + 1)]);
    }
    for (Word left = d.cover & (d.cover >> 8) & ~l.south; left != 0;) {
        const int zone = pop(left);
        set_beside(land, land.label[at(zone)], land.label[at(zone + 8)]);
    }
}

void extended(const Display& d, const Land& before, int corner, Land& land) {
    land.alive = before.alive;
    land.of_kind = before.of_kind;
    land.soft = before.soft;
    land.rocks = before.rocks;
    land.label = before.label;
    // Only the lanes in use, and one more that the card may open.
    const std::size_t low = sizeof(Word) * at((before.soft + 4 + 7) / 8 * 8);
    const std::size_t high = sizeof(Word) * at((before.rocks + 4 + 7) / 8 * 8);
    if (low + high >= sizeof land.zones) {
        land.zones = before.zones;
        land.adjacent = before.adjacent;
    } else {
        const std::size_t from = (sizeof land.zones - high) / sizeof(Word);
        std::memcpy(land.zones.data(), before.zones.data(), low);
        std::memcpy(land.adjacent.data(), before.adjacent.data(), low);
        std::memcpy(land.zones.data() + from, before.zones.data() + from, high);
        std::memcpy(land.adjacent.data() + from, before.adjacent.data() + from, high);
    }
    Word laid = d.cover & ~(kCardShape << corner);
    for (const int quarter : kQuarter) {
        add_zone(d, laid, corner + quarter, land);
        laid |= bit(corner + quarter);
    }
    for (const int quarter : kQuarter) {
        const int own = land.label[at(corner + quarter)];
        for (Word beside = neighbours(corner + quarter) & d.cover; beside != 0;) {
            set_beside(land, own, land.label[at(pop(beside))]);
        }
    }
}

void measure(const Display& d, Land& land) {
    // Room to the left and above lies outside the word, because the board is pushed into its corner.
    const Word left_edge = d.width < kSide ? kFirstColumn : 0;
    const Word top_edge = d.height < kSide ? kFirstRow : 0;
    const Word field = d.field(), water = d.water(), forest = d.forest(), rock = d.rock();
    for (int i = 0; i < land.soft; i += kLanes) {
        const Lanes zones = load(&land.zones[at(i)]);
        const Lanes beside = touching(zones);
        store(counts(beside & ~d.cover) + counts(zones & left_edge) + counts(zones & top_edge), &land.open[at(i)]);
        const Lanes neighbours = load(&land.adjacent[at(i)]);
        store(counts((zones & field) | (beside & d.ground.huts & filled(zones & water)) |
                     (neighbours & filled(zones & forest))),
              &land.points[at(i)]);
        const Lanes ring = around(beside & ~d.cover, zones, left_edge, top_edge) & d.cover & ~zones;
        const Lanes is_field = filled(zones & field), is_water = filled(zones & water),
                    is_forest = filled(zones & forest);
        const Lanes across = ring & ((is_field & field) | (is_water & water) | (is_forest & forest));
        std::memcpy(&land.across[at(i)], &across, sizeof across);
        store(counts((across & is_field) | (ring & ~beside & ((is_water & d.ground.huts) | (is_forest & ~forest)))),
              &land.ahead[at(i)]);
    }
    const Word right_column = kFirstColumn << (2 * d.width - 1);
    const Word bottom_row = kFirstRow << 8 * (2 * d.height - 1);
    const Word more_columns = static_cast<Word>(2 * (kSide - d.width)),
               more_rows = static_cast<Word>(2 * (kSide - d.height));
    constexpr int kLast = 64 - kLanes;
    for (int from = kLast; from > kLast - land.rocks; from -= kLanes) {
        const Lanes zones = load(&land.zones[at(from)]);
        const Lanes seen = view(zones, rock);
        // Where there are very many territories, the first of these lanes belong to others.
        const int first = from < land.soft ? land.soft - from : 0;
        store(counts(seen & forest), &land.points[at(from)], first);
        // Towards the right and below, room to grow is part of the view; to the left and above it has to be added
        // where the other side is blocked.
        const Lanes left_only = filled(seen & left_edge) & ~filled(seen & right_column);
        const Lanes top_only = filled(seen & top_edge) & ~filled(seen & bottom_row);
        store(counts(seen & ~d.cover) + (left_only & more_columns) + (top_only & more_rows), &land.open[at(from)],
              first);
    }
}

Crew crew(const Display& d, const Land& land) {
    Crew crew;
    for (Word left = d.workers(); left != 0;) {
        const int zone = pop(left);
        const int number = land.label[at(zone)];
        if (!has(crew.standing, number)) crew.number[at(number)] = 0;
        crew.standing |= bit(number);
        crew.number[at(number)] = static_cast<std::uint8_t>(crew.number[at(number)] + d.workers_on(zone));
    }
    return crew;
}

}  // namespace limina::limes
