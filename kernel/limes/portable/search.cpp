#include "limes/portable/search.hpp"

#include <algorithm>
#include <numeric>

#include "limes/portable/endgame.hpp"
#include "limes/portable/sequential_halving.hpp"

namespace limina::limes {

namespace {

// With two cards to come, rollouts only select the candidates for the exact endgame. They get this share of time and
// work.
constexpr double kSamplingShare = 0.25;

// Upper limits: the results of all rollouts of a stage are in memory at the same time, and differences of infinite
// seconds would be NaN.
constexpr double kMaxRollouts = 2e6, kMaxSeconds = 1e6;

// Duration of a greedy turn by the number of placed cards, with AVX2. Only the ratios matter. A card has few cells at
// the beginning and at the end.
constexpr std::array<int, kRounds> kGreedyTurnMicroseconds = {1,  6,  12, 16, 20, 22, 26, 26,
                                                              26, 24, 21, 18, 15, 12, 9,  2};

// Returns the duration of a rollout that starts with `cards` placed cards.
double rollout_cost(int cards, int depth) {
    const int end = std::min(kRounds, cards + std::max(depth, 1));
    return std::accumulate(kGreedyTurnMicroseconds.begin() + std::min(cards, end),
                           kGreedyTurnMicroseconds.begin() + end, 0.0);
}

// Returns options with more rollouts if they are short, so that every turn takes about the same time.
SearchOptions scale_rollouts(SearchOptions options, int cards) {
    options.depth = std::min(options.depth, kRounds);
    options.seconds = std::min(kMaxSeconds, options.seconds);
    const double ratio = rollout_cost(kRounds / 2 + 1, options.depth) / rollout_cost(cards + 1, options.depth);
    options.rollouts = static_cast<int>(std::min(ratio * options.rollouts, kMaxRollouts));
    return options;
}

// Returns all turns, the `max_turns` candidates first: the best by value, but only a few worker actions for each
// placement of the card. If the value of a placement is wrong, it is wrong for all its worker actions.
std::vector<BoardTurn> list_promising_first(const Weights& weights, const InformationSet& info, const Card& card,
                                            int max_turns) {
    const RemainingDeck remaining = limes::remaining_deck(info.deck, info.unseen);
    std::vector<BoardTurn> turns = best_turns(weights, info.display, card, remaining, max_turns);
    const std::size_t promising = turns.size();
    for (const BoardTurn& turn : all_turns(weights, info.display, card, remaining)) {
        const auto end = turns.begin() + static_cast<std::ptrdiff_t>(promising);
        if (std::find(turns.begin(), end, turn) == end) turns.push_back(turn);
    }
    return turns;
}

// Sorts the candidates with the best total by their tie-break. For the last card, when totals are exact.
void order_by_tie_break(const InformationSet& info, const Card& card, std::vector<Candidate>& turns) {
    const auto tied =
        std::find_if(turns.begin(), turns.end(), [&](const Candidate& c) { return c.points < turns[0].points; });
    std::stable_sort(turns.begin(), tied, [&](const Candidate& a, const Candidate& b) {
        return tie_break_points(play_board_turn(info.display, card, a.turn)) >
               tie_break_points(play_board_turn(info.display, card, b.turn));
    });
}

}  // namespace

float rollout(const Weights& weights, Display d, std::span<const Card> deck, std::uint32_t unseen,
              std::span<const std::uint8_t> cards, int depth) {
    const std::size_t turns = std::min(cards.size(), static_cast<std::size_t>(std::max(depth, 0)));
    if (turns == 0) return d.card_count > 0 ? evaluate(weights, d, remaining_deck(deck, unseen)) : 0;
    for (std::size_t i = 0;; ++i) {
        const Card& card = deck[cards[i]];
        unseen &= ~(1U << cards[i]);
        const BoardTurn turn = greedy_turn(weights, d, card, remaining_deck(deck, unseen));
        if (i + 1 == turns) return turn.value;
        d = play_board_turn(d, card, turn);
    }
}

SearchResult search(const Weights& weights, const InformationSet& info, const SearchOptions& requested,
                    std::uint64_t seed, const CancelToken& cancel_token) {
    const Timer timer;
    const Card& card = info.deck[info.card];
    const int turns_left = kRounds - info.display.card_count - 1;
    const bool sampling = turns_left > 1;
    SearchResult result;
    // With one card to come the rollouts enumerate it, so more candidates are affordable.
    for (const BoardTurn& turn : sampling
                                     ? list_promising_first(weights, info, card, requested.candidates)
                                     : all_turns(weights, info.display, card, remaining_deck(info.deck, info.unseen))) {
        result.candidates.push_back({turn, turn.value, turn.value, 0});
    }
    if (turns_left == 0) {
        order_by_tie_break(info, card, result.candidates);
        return result;
    }
    const SearchOptions options = scale_rollouts(requested, info.display.card_count);
    const std::size_t max_candidates = static_cast<std::size_t>(options.candidates) * (sampling ? 1 : 8);
    const bool plans_endgame = turns_left == 2 && info.opponents.empty() &&
                               (1 - kSamplingShare) * options.rollouts >= last_cards_rollouts(info);
    SearchOptions sampling_options = options;
    if (plans_endgame) sampling_options.rollouts = static_cast<int>(kSamplingShare * options.rollouts);
    SequentialHalving halving(weights, info, sampling_options, seed, std::min(result.candidates.size(), max_candidates),
                              result);
    bool runs_endgame = plans_endgame;
    // Rollouts of the endgame are shorter by this factor, so more of them are possible in the same time.
    const double endgame_speedup =
        rollout_cost(info.display.card_count + 1, options.depth) / rollout_cost(kRounds - 1, 1);
    for (int stage = 0; stage < halving.stages() && !cancel_token.is_canceled(); ++stage) {
        // If time is short, each stage gets an equal part, so that every stage drops candidates.
        const double seconds = (runs_endgame ? kSamplingShare : 1) * options.seconds;
        halving.run_stage(stage, {timer, seconds * (stage + 1) / halving.stages(), &cancel_token});
        const double rate = endgame_speedup * static_cast<double>(result.rollouts) / timer.seconds();
        runs_endgame = runs_endgame && rate * (options.seconds - seconds) >= last_cards_rollouts(info);
    }
    halving.finish();
    if (runs_endgame && !cancel_token.is_canceled()) {
        solve_last_cards(weights, info, options.threads, {timer, options.seconds, &cancel_token}, result);
    }
    result.finished = result.finished && runs_endgame == plans_endgame && !cancel_token.is_canceled();
    return result;
}

}  // namespace limina::limes
