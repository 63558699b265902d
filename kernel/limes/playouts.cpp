// Random play to the 16th card, several displays side by side.
#include <algorithm>

#include "limes/simd_rules.hpp"

namespace limina::limes {

namespace {

// All faces of a deck, four for each card.
struct Faces {
    static constexpr std::size_t kFaces = kCards * kTurnings;
    std::array<Word, kFaces> lo{}, hi{}, huts{};

    explicit Faces(std::span<const Card> deck) {
        for (std::size_t i = 0; i < kFaces && i / kTurnings < deck.size(); ++i) {
            const Ground& ground = deck[i / kTurnings].turned(static_cast<int>(i % kTurnings));
            lo[i] = ground.lo;
            hi[i] = ground.hi;
            huts[i] = ground.huts;
        }
    }
};

// Every choice is made without a branch on it: chance cannot be predicted, and a wrong guess of the processor costs
// more than the work. Each game draws the same numbers in whichever lane it is played.
template <class Set>
class Playing {
  public:
    Playing(const Display& start, std::span<const Card> deck, std::uint32_t unseen, int next)
        : start_(start), faces_(deck), unseen_(unseen), next_(next) {
        if (next >= 0) unseen_ &= ~bit(next);
    }

    // Plays games first, first + 1, ..., one a lane, and returns their totals.
    Set play(Word seed, Word first_game) {
        for (int i = 0; i < kLanesOf<Set>; ++i) {
            put(boards_, i, start_);
            dice_.begin(i, seed, first_game + static_cast<Word>(i));
        }
        Set unseen = everywhere<Set>(unseen_);
        int cards = start_.cards;
        if (next_ >= 0 && cards < kRounds) {
            turn(cards++, everywhere<Set>(static_cast<Word>(next_)), dice_.next());
        }
        for (int left = count(unseen_); cards < kRounds && left > 0; --left, ++cards) {
            const Set luck = dice_.next();
            const Set card = nths(unseen, scaled_low(luck, everywhere<Set>(static_cast<Word>(left))));
            unseen ^= card;
            turn(cards, counts(card - 1), luck);
        }
        return totals<Set>(boards_);
    }

  private:
    // The cell by the high half of the luck.
    void turn(int cards, const Set& card, const Set& luck) {
        Boards<Set>& b = boards_;
        const bool diagonal = start_.variants.diagonal, ferryman = start_.variants.ferryman;
        const Set open = cards == 0 ? everywhere<Set>(bit(kFirstCell))
                                    : open_beside(b.laid, b.left, b.top, b.width, b.height, diagonal);
        const Set cell = nths(open, scaled_high(luck, counts(open)));
        const Set more_luck = dice_.next();
        const Set at = counts(cell - 1), face = (card << 2) + (more_luck >> 62);
        b.laid |= cell;
        const Set corner =
            lay_card(b, Set{at & 7}, Set{at >> 3},
                     GroundOf<Set>{look_up(faces_.lo, face), look_up(faces_.hi, face), look_up(faces_.huts, face)});
        const Links<Set> l = links(b);
        std::array<Set, kWorkers> sources, goals;
        std::array<Set, kWorkers + 1> sums;  // of the goals before
        std::size_t n = 0;
        sums[0] = Set{};
        for (Set left = b.workers(); !none(left); ++n) {
            sources[n] = left & -left;
            left ^= sources[n];
            goals[n] = destinations(b, sources[n], l, ferryman);
            sums[n + 1] = sums[n] + counts(goals[n]);
        }
        // First come the moves, then to do nothing, then the four quarters for a worker from the supply.
        const Set moves = sums[n], choice = scaled_low(more_luck, moves + 1 + (filled(b.supply) & 4));
        Set from{}, towards{}, rank{};
        for (std::size_t i = 0; i < n; ++i) {
            const Set chosen = below(choice, sums[i + 1]) & ~below(choice, sums[i]);
            from |= sources[i] & chosen;
            towards |= goals[i] & chosen;
            rank |= (choice - sums[i]) & chosen;
        }
        const Set placing = below(moves, choice), quarter = choice - moves - 1;
        const Set placed = everywhere<Set>(1) << ((corner + (quarter & 1) + ((quarter & 2) << 2)) & 63);
        remove_workers(b, from);
        add_workers(b, Set{nths(towards, rank) | (placed & placing)});
        b.supply -= placing & 1;
    }

    const Display& start_;
    Faces faces_;
    Word unseen_;
    int next_;
    Boards<Set> boards_;
    Dice<Set> dice_;
};

}  // namespace

Playouts playouts(const Display& display, std::span<const Card> deck, std::uint32_t unseen, int next,
                  std::uint64_t games, Word seed) {
    Playing<Lanes> playing(display, deck, unseen, next);
    Playouts result;
    for (std::uint64_t done = 0; done < games; done += kLanes) {
        const Lanes found = playing.play(seed, done);
        const int played = static_cast<int>(std::min<std::uint64_t>(kLanes, games - done));
        for (int i = 0; i < played; ++i) ++result.totals[std::min<Word>(lane(found, i), 255)];
    }
    return result;
}

}  // namespace limina::limes
