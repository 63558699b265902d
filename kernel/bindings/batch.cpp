// Batches as Python sees them: one class a game, with the same methods. Arrays are the caller's and are written in
// place.
#include "limes/batch.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/limit_board.hpp"
#include "limit/batch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
template <class T>
using Given = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
T* checked(const Array<T>& array, std::size_t size) {
    if (array.size() != size) throw std::invalid_argument("an array has not the size that the batch needs");
    return array.data();
}

template <class T>
const T* checked(const Given<T>& array, std::size_t size) {
    if (array.size() != size) throw std::invalid_argument("an array has not the size that the batch needs");
    return array.data();
}

// A batch with the arrays that it writes into, and a lock: threads of Python may call it at the same time.
template <class Core>
struct Bound {
    template <class... More>
    explicit Bound(const typename Core::Options& options, const More&... more) : core(options, more...) {}

    Core core;
    batch::Out out;
    std::vector<nb::object> kept;
    std::mutex lock;

    // The same games once more, with nowhere to write yet.
    explicit Bound(const Core& games) : core(games) {}

    template <class Work>
    void run(Work work) {
        nb::gil_scoped_release free;
        const std::lock_guard guard(lock);
        work();
    }
};

std::size_t places(const limes::Batch&) { return limes::Batch::kPass; }
std::size_t places(const limit::Batch& batch) { return static_cast<std::size_t>(batch.side() * batch.side()); }

batch::Autoreset autoreset(int mode) {
    if (mode < 0 || mode > 2) throw std::invalid_argument("autoreset is 0 (never), 1 (next step) or 2 (same step)");
    return static_cast<batch::Autoreset>(mode);
}

int game_in(int game, int games) {
    if (game < 0 || game >= games) throw std::out_of_range("no such game in the batch");
    return game;
}

void check_size(int games, int threads) {
    if (games < 1 || games > 1 << 20) throw std::invalid_argument("a batch has 1 to 1,048,576 games");
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads are 1 to 1024");
}

template <class Core>
void bind_common(nb::class_<Bound<Core>>& bound) {
    using Self = Bound<Core>;
    bound
        .def(
            "attach",
            [](Self& self, std::optional<Array<std::uint8_t>> planes, std::optional<Array<std::uint8_t>> vector,
               std::optional<Array<std::uint8_t>> mask, std::optional<Array<Word>> packed,
               std::optional<Array<float>> rewards, std::optional<Array<std::uint8_t>> ended,
               std::optional<Array<std::uint8_t>> player) {
                const auto rows = static_cast<std::size_t>(self.core.rows());
                const auto games = static_cast<std::size_t>(self.core.options().games);
                const auto seats = games * static_cast<std::size_t>(self.core.options().players);
                batch::Out out;
                std::vector<nb::object> kept;
                const auto take = [&](auto& array, std::size_t size, auto*& pointer) {
                    if (!array) return;
                    pointer = checked(*array, size);
                    kept.push_back(nb::cast(*array));
                };
                take(planes, rows * Core::kPlanes * places(self.core), out.planes);
                take(vector, rows * Core::kVector, out.vector);
                take(mask, rows * (places(self.core) + 1), out.mask);
                take(packed, rows * Core::kPacked, out.packed);
                take(rewards, seats, out.rewards);
                take(ended, games, out.ended);
                take(player, games, out.player);
                const std::lock_guard guard(self.lock);
                self.out = out;
                self.kept = std::move(kept);
            },
            nb::kw_only(), "planes"_a.noconvert().none() = nb::none(), "vector"_a.noconvert().none() = nb::none(),
            "mask"_a.noconvert().none() = nb::none(), "packed"_a.noconvert().none() = nb::none(),
            "rewards"_a.noconvert().none() = nb::none(), "ended"_a.noconvert().none() = nb::none(),
            "player"_a.noconvert().none() = nb::none(),
            "Where to write from now on. What is left out is not worked out.")
        .def(
            "reset",
            [](Self& self, Given<Word> seeds, std::optional<Given<std::uint8_t>> which) {
                const int games = self.core.options().games;
                const Word* seed = checked(seeds, static_cast<std::size_t>(games));
                const std::uint8_t* chosen = which ? checked(*which, static_cast<std::size_t>(games)) : nullptr;
                self.run([&] {
                    for (int game = 0; game < games; ++game) {
                        if (chosen == nullptr || chosen[game] != 0) self.core.reset(game, seed[game]);
                    }
                    self.core.observe(self.out);
                });
            },
            "seeds"_a, "which"_a.none() = nb::none(), "Begin games anew, each from a seed: all, or those chosen.")
        .def(
            "step",
            [](Self& self, Given<std::int64_t> actions) {
                const std::int64_t* action = checked(actions, static_cast<std::size_t>(self.core.rows()));
                self.run([&] { self.core.step(action, self.out); });
            },
            "actions"_a, "One click in each row.")
        .def(
            "play",
            [](Self& self, Given<std::uint32_t> turns) {
                const std::uint32_t* turn = checked(turns, static_cast<std::size_t>(self.core.rows()));
                self.run([&] { self.core.play(turn, self.out); });
            },
            "turns"_a, "A whole turn in each row, by its number.")
        .def(
            "sample",
            [](Self& self, Array<std::int64_t> actions) {
                std::int64_t* action = checked(actions, static_cast<std::size_t>(self.core.rows()));
                self.run([&] { self.core.sample(action); });
            },
            "actions"_a.noconvert(), "Write a random legal click for each row.")
        .def(
            "afterstates",
            [](Self& self, int k, Array<std::uint32_t> turns, Array<float> gains, Array<std::int16_t> features,
               Array<std::int32_t> found) {
                if (k < 1 || k > 4096) throw std::invalid_argument("so many turns cannot be asked for");
                const auto rows = static_cast<std::size_t>(self.core.rows()), all = rows * static_cast<std::size_t>(k);
                std::uint32_t* turn = checked(turns, all);
                float* gain = checked(gains, all);
                std::int16_t* feature = checked(features, all * Core::kMostFeatures);
                std::int32_t* number = checked(found, rows);
                self.run([&] { self.core.afterstates(k, turn, gain, feature, number); });
            },
            "k"_a, "turns"_a.noconvert(), "gains"_a.noconvert(), "features"_a.noconvert(), "found"_a.noconvert(),
            "Write the k turns of each row that are best at once and differ: numbers, gains, features after them, how "
            "many.")
        .def(
            "observe", [](Self& self) { self.run([&] { self.core.observe(self.out); }); },
            "Write what can be seen, once more.")
        .def(
            "copy",
            [](Self& self) {
                const std::lock_guard guard(self.lock);
                return std::make_unique<Self>(self.core);
            },
            "The same games once more, to go on apart from these; arrays are to be attached anew.")
        .def_prop_ro("rows", [](const Self& self) { return self.core.rows(); })
        .def_prop_ro("games", [](const Self& self) { return self.core.options().games; })
        .def_prop_ro("players", [](const Self& self) { return self.core.options().players; });
    bound.attr("PLANES") = Core::kPlanes + 0;
    bound.attr("VECTOR") = Core::kVector + 0;
    bound.attr("PACKED") = Core::kPacked + 0;
    bound.attr("FEATURES") = Core::kFeatures + 0;
    bound.attr("MOST_FEATURES") = Core::kMostFeatures + 0;
}

std::vector<limes::Card> whole_deck(const std::vector<limes::Card>& deck) {
    if (deck.size() != limes::kCards) throw std::invalid_argument("a deck has 24 cards");
    return deck;
}

std::vector<std::uint8_t> different(const std::vector<int>& cards) {
    std::vector<std::uint8_t> numbers;
    Word seen = 0;
    for (const int card : cards) {
        if (card < 0 || card >= limes::kCards || has(seen, card)) {
            throw std::invalid_argument("cards are different numbers from 0 to 23");
        }
        seen |= bit(card);
        numbers.push_back(static_cast<std::uint8_t>(card));
    }
    return numbers;
}

void bind_limes_batch(nb::module_ m) {
    using Core = limes::Batch;
    using Self = Bound<Core>;
    nb::class_<Self> bound(m, "Batch", "Games side by side, stepped click by click into arrays of the caller's.");
    bound.def(
        "__init__",
        [](Self* self, const std::vector<limes::Card>& deck, int games, int players, bool diagonal, bool ferryman,
           bool reward_at_end, float illegal_reward, int reset_mode, int threads) {
            check_size(games, threads);
            if (players < 1 || players > 64) throw std::invalid_argument("players are 1 to 64");
            const Core::Options options{
                games, players, threads, {diagonal, ferryman}, reward_at_end, illegal_reward, autoreset(reset_mode)};
            new (self) Self(options, whole_deck(deck));
        },
        "deck"_a, "games"_a, nb::kw_only(), "players"_a = 1, "diagonal"_a = false, "ferryman"_a = false,
        "reward_at_end"_a = false, "illegal_reward"_a = -1.0F, "autoreset"_a = 1, "threads"_a = 1);
    bind_common(bound);
    bound
        .def(
            "deal",
            [](Self& self, int game, const std::vector<int>& cards) {
                if (cards.size() < limes::kRounds) throw std::invalid_argument("a deal has 16 cards or more");
                const std::vector<std::uint8_t> numbers = different(cards);
                const std::lock_guard guard(self.lock);
                self.core.deal(game_in(game, self.core.options().games), numbers);
            },
            "game"_a, "cards"_a, "Begin one game anew with these cards in this order, from 0 to 23.")
        .def(
            "set",
            [](Self& self, int game, const std::vector<limes::Display>& displays, const std::vector<int>& draws) {
                const std::vector<std::uint8_t> numbers = different(draws);
                const std::lock_guard guard(self.lock);
                if (!self.core.set(game_in(game, self.core.options().games), displays, numbers)) {
                    throw std::invalid_argument("displays, variants and draws do not fit each other or the batch");
                }
            },
            "game"_a, "displays"_a, "draws"_a, "Begin one game with these displays and cards drawn, from 0 to 23.")
        .def(
            "displays",
            [](Self& self, int game) {
                const int players = self.core.options().players;
                const int first_row = game_in(game, self.core.options().games) * players;
                const std::lock_guard guard(self.lock);
                std::vector<limes::Display> found;
                for (int player = 0; player < players; ++player) found.push_back(self.core.display(first_row + player));
                return found;
            },
            "game"_a, "The displays of a game, with the card of the round where it lies.")
        .def(
            "draws",
            [](Self& self, int game) {
                const std::lock_guard guard(self.lock);
                const auto cards = self.core.draws(game_in(game, self.core.options().games));
                return std::vector<int>(cards.begin(), cards.end());
            },
            "game"_a, "The cards drawn in a game, from 0 to 23.");
    bound.attr("ACTIONS") = Core::kActions + 0;
    bound.attr("FRAME") = Core::kFrame + 0;
}

void bind_limit_batch(nb::module_ m) {
    using Core = limit::Batch;
    using Self = Bound<Core>;
    nb::class_<Self> bound(m, "Batch", "Games side by side, stepped click by click into arrays of the caller's.");
    bound.def(
        "__init__",
        [](Self* self, int games, int players, int size, int layouts, Word seed, float illegal_reward, int reset_mode,
           int threads) {
            check_size(games, threads);
            if (players < 2 || players > 3 || size < 4 || size > 16) {
                throw std::invalid_argument("sizes are 4 to 16, players 2 or 3");
            }
            if (layouts < 0 || layouts > 1 << 16) throw std::invalid_argument("layouts are 0 to 65,536");
            const Core::Options options{games,   players, size,           threads,
                                        layouts, seed,    illegal_reward, autoreset(reset_mode)};
            new (self) Self(options);
        },
        "games"_a, nb::kw_only(), "players"_a = 2, "size"_a = 8, "layouts"_a = 0, "seed"_a = 0,
        "illegal_reward"_a = -1.0F, "autoreset"_a = 1, "threads"_a = 1);
    bind_common(bound);
    bound
        .def(
            "set",
            [](Self& self, int game, const limit::Board& board) {
                limit::must_be_laid(board);
                const std::lock_guard guard(self.lock);
                if (!self.core.set(game_in(game, self.core.options().games), board.layout, board.state)) {
                    throw std::invalid_argument("the layout does not fit: wrong size or players, or too wide");
                }
            },
            "game"_a, "board"_a, "Begin one game with this board.")
        .def(
            "board",
            [](Self& self, int game) {
                const int number = game_in(game, self.core.options().games);
                const std::lock_guard guard(self.lock);
                return limit::Board{self.core.layout(number), self.core.state(number)};
            },
            "game"_a, "Where a game stood when the present turn began.")
        .def_prop_ro("side", [](const Self& self) { return self.core.side(); });
    bound.attr("SMALL") = Core::kSmall + 0;
    bound.attr("LARGE") = Core::kLarge + 0;
}

}  // namespace

void bind_batches(nb::module_ limes, nb::module_ limit) {
    bind_limes_batch(limes);
    bind_limit_batch(limit);
}

}  // namespace limina
