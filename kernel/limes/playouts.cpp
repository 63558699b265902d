// Random playouts, with a game in each SIMD lane.
#include <algorithm>

#include "limes/simd_rules.hpp"

namespace limina::limes {

namespace {

// The ground of each card of a deck in each turning, as lookup tables.
struct DeckFaces {
    static constexpr std::size_t kFaceCount = kDeckSize * kTurnings;
    std::array<Bitboard, kFaceCount> lo{}, hi{}, huts{};

    explicit DeckFaces(std::span<const Card> deck) {
        for (std::size_t i = 0; i < kFaceCount && i / kTurnings < deck.size(); ++i) {
            const Ground& ground = deck[i / kTurnings].turned(static_cast<int>(i % kTurnings));
            lo[i] = ground.lo;
            hi[i] = ground.hi;
            huts[i] = ground.huts;
        }
    }
};

// Plays a game in each lane without branches on random choices, because a mispredicted branch costs more than the work
// that it would save. A game is the same in any lane.
template <class Set>
class PlayoutLanes {
  public:
    PlayoutLanes(const Display& start, std::span<const Card> deck, std::uint32_t unseen, int next)
        : start_(start), faces_(deck), unseen_(unseen), next_(next) {
        if (next >= 0) unseen_ &= ~bit_at(next);
    }

    // Plays the games first_game, first_game + 1, ..., one in each lane, and returns their totals.
    Set play(std::uint64_t seed, std::uint64_t first_game) {
        for (int i = 0; i < kLaneCount<Set>; ++i) {
            store(displays_, i, start_);
            rng_.seed_lane(i, seed, first_game + static_cast<std::uint64_t>(i));
        }
        Set unseen = broadcast<Set>(unseen_);
        int cards = start_.card_count;
        if (next_ >= 0 && cards < kRounds) {
            play_turn(cards++, broadcast<Set>(static_cast<std::uint64_t>(next_)), rng_.next());
        }
        for (int remaining = popcount(unseen_); cards < kRounds && remaining > 0; --remaining, ++cards) {
            const Set random = rng_.next();
            const Set card =
                nth_bits(unseen, scale_low32(random, broadcast<Set>(static_cast<std::uint64_t>(remaining))));
            unseen ^= card;
            play_turn(cards, popcounts(card - 1), random);
        }
        return total_points<Set>(displays_);
    }

  private:
    // Plays a random turn. `card` is the index of the card. The low half of `random` may have chosen the card already,
    // so the cell takes the high half.
    void play_turn(int cards, const Set& card, const Set& random) {
        DisplaySets<Set>& displays = displays_;
        const bool diagonal = start_.variants.diagonal, ferryman = start_.variants.ferryman;
        const Set open = cards == 0 ? broadcast<Set>(bit_at(kFirstCell))
                                    : open_neighbor_cells(displays.occupied, displays.left, displays.top,
                                                          displays.width, displays.height, diagonal);
        const Set cell = nth_bits(open, scale_high32(random, popcounts(open)));
        const Set more_random = rng_.next();
        const Set cell_index = popcounts(cell - 1), face_index = (card << 2) + (more_random >> 62);
        displays.occupied |= cell;
        const Set corner =
            place_card(displays, Set{cell_index & 7}, Set{cell_index >> 3},
                       BasicGround<Set>{lookup_lanes(faces_.lo, face_index), lookup_lanes(faces_.hi, face_index),
                                        lookup_lanes(faces_.huts, face_index)});
        const Links<Set> links = find_links(displays);
        std::array<Set, kWorkersPerPlayer> sources, targets;
        std::array<Set, kWorkersPerPlayer + 1> targets_before;  // number of targets of all earlier workers
        std::size_t worker_count = 0;
        targets_before[0] = Set{};
        for (Set remaining = displays.workers(); !is_zero(remaining); ++worker_count) {
            sources[worker_count] = remaining & -remaining;
            remaining ^= sources[worker_count];
            targets[worker_count] = destinations(displays, sources[worker_count], links, ferryman);
            targets_before[worker_count + 1] = targets_before[worker_count] + popcounts(targets[worker_count]);
        }
        // Worker actions are numbered: first all moves, then no action, then the four quarters of the card.
        const Set move_count = targets_before[worker_count],
                  action_index = scale_low32(more_random, move_count + 1 + (nonzero_mask(displays.supply) & 4));
        Set source{}, target_zones{}, target_rank{};
        for (std::size_t i = 0; i < worker_count; ++i) {
            const Set is_chosen =
                less_mask(action_index, targets_before[i + 1]) & ~less_mask(action_index, targets_before[i]);
            source |= sources[i] & is_chosen;
            target_zones |= targets[i] & is_chosen;
            target_rank |= (action_index - targets_before[i]) & is_chosen;
        }
        const Set places_worker = less_mask(move_count, action_index), quarter = action_index - move_count - 1;
        const Set placed_zone = broadcast<Set>(1) << ((corner + (quarter & 1) + ((quarter & 2) << 2)) & 63);
        remove_workers(displays, source);
        add_workers(displays, Set{nth_bits(target_zones, target_rank) | (placed_zone & places_worker)});
        displays.supply -= places_worker & 1;
    }

    const Display& start_;
    DeckFaces faces_;
    Bitboard unseen_;
    int next_;
    DisplaySets<Set> displays_;
    SimdRng<Set> rng_;
};

}  // namespace

PlayoutResult playouts(const Display& display, std::span<const Card> deck, std::uint32_t unseen, int next,
                       std::uint64_t games, std::uint64_t seed) {
    PlayoutLanes<SimdBitboard> lanes(display, deck, unseen, next);
    PlayoutResult result;
    for (std::uint64_t done = 0; done < games; done += kSimdLanes) {
        const SimdBitboard totals = lanes.play(seed, done);
        const int lanes_used = static_cast<int>(std::min<std::uint64_t>(kSimdLanes, games - done));
        for (int i = 0; i < lanes_used; ++i) ++result.count_by_total[std::min<std::uint64_t>(get_lane(totals, i), 255)];
    }
    return result;
}

}  // namespace limina::limes
