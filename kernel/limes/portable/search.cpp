#include "limes/portable/search.hpp"

#include <algorithm>
#include <numeric>

#include "limes/portable/endgame.hpp"
#include "limes/portable/sequential_halving.hpp"

namespace limina::limes {

namespace {

// With two cards to come the rollouts only have to say which turns to count out, and get this part of the time and
// work.
constexpr double kSamplingShare = 0.25;

// More than anybody waits for; what they find is kept until all turns have met the same orders.
constexpr double kMaxRollouts = 2e6, kMaxSeconds = 1e6;

// What a greedy turn takes, by the cards that lie before it (microseconds with AVX2; only their ratios count): a card
// has few places where little lies, and where little is left.
constexpr std::array<int, kRounds> kGreedyTurnMicroseconds = {1,  6,  12, 16, 20, 22, 26, 26,
                                                              26, 24, 21, 18, 15, 12, 9,  2};

// What a rollout takes that begins when so many cards lie.
double rollout_cost(int cards, int depth) {
    const int end = std::min(kRounds, cards + std::max(depth, 1));
    return std::accumulate(kGreedyTurnMicroseconds.begin() + std::min(cards, end),
                           kGreedyTurnMicroseconds.begin() + end, 0.0);
}

// So that every turn takes about the same time, there are more rollouts where they are short.
SearchOptions scale_rollouts(SearchOptions options, int cards) {
    options.depth = std::min(options.depth, kRounds);
    options.seconds = std::min(kMaxSeconds, options.seconds);
    const double ratio = rollout_cost(kRounds / 2 + 1, options.depth) / rollout_cost(cards + 1, options.depth);
    options.rollouts = static_cast<int>(std::min(ratio * options.rollouts, kMaxRollouts));
    return options;
}

// All turns, those first that are worth playing on: the best by the values, but of each way to lay the card only a few
// actions of the workers. Where the values are mistaken, they are so for many of them at once.
std::vector<BoardTurn> list_promising_first(const Weights& weights, const InformationSet& info, const Card& card,
                                            int most) {
    const RemainingDeck remaining = limes::remaining_deck(info.deck, info.unseen);
    std::vector<BoardTurn> turns = best_turns(weights, info.display, card, remaining, most);
    const std::size_t promising = turns.size();
    for (const BoardTurn& turn : all_turns(weights, info.display, card, remaining)) {
        const auto end = turns.begin() + static_cast<std::ptrdiff_t>(promising);
        if (std::find(turns.begin(), end, turn) == end) turns.push_back(turn);
    }
    return turns;
}

// With the last card: the total is known, and between equals the tie-break decides.
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
    // With one card to come nothing is sampled: every turn worth a look meets all that may come.
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
    const std::size_t most = static_cast<std::size_t>(options.candidates) * (sampling ? 1 : 8);
    const bool plans_endgame = turns_left == 2 && info.opponents.empty() &&
                               (1 - kSamplingShare) * options.rollouts >= last_cards_rollouts(info);
    SearchOptions sampling_options = options;
    if (plans_endgame) sampling_options.rollouts = static_cast<int>(kSamplingShare * options.rollouts);
    SequentialHalving halving(weights, info, sampling_options, seed, std::min(result.candidates.size(), most), result);
    bool runs_endgame = plans_endgame;
    // Rollouts of the endgame are shorter: what the time was enough for before is enough for more of them.
    const double endgame_speedup =
        rollout_cost(info.display.card_count + 1, options.depth) / rollout_cost(kRounds - 1, 1);
    for (int stage = 0; stage < halving.stages() && !cancel_token.is_canceled(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
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
