// Python bindings of the batches: one class for each game, with the same methods. They write into arrays that the
// caller owns.
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
using OutputArray = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
template <class T>
using InputArray = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
T* checked_data(const OutputArray<T>& array, std::size_t size) {
    if (array.size() != size) throw std::invalid_argument("the array has the wrong size for this batch");
    return array.data();
}

template <class T>
const T* checked_data(const InputArray<T>& array, std::size_t size) {
    if (array.size() != size) throw std::invalid_argument("the array has the wrong size for this batch");
    return array.data();
}

// A batch with the arrays that it writes into, and a lock, because Python threads may call it at the same time.
template <class Core>
struct SharedBatch {
    template <class... More>
    explicit SharedBatch(const typename Core::Options& options, const More&... more) : core(options, more...) {}

    Core core;
    batch::OutputBuffers out;
    std::vector<nb::object> attached_arrays;
    std::mutex mutex;

    // Copies the games, without arrays.
    explicit SharedBatch(const Core& games) : core(games) {}

    template <class Task>
    void run(Task task) {
        nb::gil_scoped_release gil_release;
        const std::lock_guard lock(mutex);
        task();
    }
};

std::size_t place_count(const limes::Batch&) { return limes::Batch::kPassAction; }
std::size_t place_count(const limit::Batch& batch) {
    return static_cast<std::size_t>(batch.frame_side() * batch.frame_side());
}

batch::Autoreset to_autoreset(int mode) {
    if (mode < 0 || mode > 2)
        throw std::invalid_argument("autoreset must be 0 (never), 1 (next step) or 2 (same step)");
    return static_cast<batch::Autoreset>(mode);
}

int checked_game_index(int game, int games) {
    if (game < 0 || game >= games) throw std::out_of_range("no such game in the batch");
    return game;
}

void check_size(int games, int threads) {
    if (games < 1 || games > 1 << 20) throw std::invalid_argument("a batch must have 1 to 1,048,576 games");
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads must be from 1 to 1024");
}

template <class Core>
void bind_common(nb::class_<SharedBatch<Core>>& bound_class) {
    using Self = SharedBatch<Core>;
    bound_class
        .def(
            "attach",
            [](Self& self, std::optional<OutputArray<std::uint8_t>> planes,
               std::optional<OutputArray<std::uint8_t>> vector, std::optional<OutputArray<std::uint8_t>> mask,
               std::optional<OutputArray<std::uint64_t>> packed, std::optional<OutputArray<float>> rewards,
               std::optional<OutputArray<std::uint8_t>> ended, std::optional<OutputArray<std::uint8_t>> player) {
                const auto rows = static_cast<std::size_t>(self.core.rows());
                const auto games = static_cast<std::size_t>(self.core.options().games);
                const auto seats = games * static_cast<std::size_t>(self.core.options().players);
                batch::OutputBuffers out;
                std::vector<nb::object> attached_arrays;
                const auto attach = [&](auto& array, std::size_t size, auto*& pointer) {
                    if (!array) return;
                    pointer = checked_data(*array, size);
                    attached_arrays.push_back(nb::cast(*array));
                };
                attach(planes, rows * Core::kPlaneCount * place_count(self.core), out.planes);
                attach(vector, rows * Core::kVectorSize, out.vector);
                attach(mask, rows * (place_count(self.core) + 1), out.mask);
                attach(packed, rows * Core::kPackedWords, out.packed);
                attach(rewards, seats, out.rewards);
                attach(ended, games, out.ended);
                attach(player, games, out.player);
                const std::lock_guard lock(self.mutex);
                self.out = out;
                self.attached_arrays = std::move(attached_arrays);
            },
            nb::kw_only(), "planes"_a.noconvert().none() = nb::none(), "vector"_a.noconvert().none() = nb::none(),
            "mask"_a.noconvert().none() = nb::none(), "packed"_a.noconvert().none() = nb::none(),
            "rewards"_a.noconvert().none() = nb::none(), "ended"_a.noconvert().none() = nb::none(),
            "player"_a.noconvert().none() = nb::none(),
            "Set the arrays that are written from now on. What is left out is not computed.")
        .def(
            "reset",
            [](Self& self, InputArray<std::uint64_t> seeds, std::optional<InputArray<std::uint8_t>> reset_mask) {
                const int games = self.core.options().games;
                const std::uint64_t* seed = checked_data(seeds, games);
                const std::uint8_t* reset_flags = reset_mask ? checked_data(*reset_mask, games) : nullptr;
                self.run([&] {
                    for (int game = 0; game < games; ++game) {
                        if (reset_flags == nullptr || reset_flags[game] != 0) self.core.reset(game, seed[game]);
                    }
                    self.core.observe(self.out);
                });
            },
            "seeds"_a, "reset_mask"_a.none() = nb::none(),
            "Restart all games, or those in the mask, each from its seed.")
        .def(
            "step",
            [](Self& self, InputArray<std::int64_t> actions) {
                const std::int64_t* action = checked_data(actions, self.core.rows());
                self.run([&] { self.core.step(action, self.out); });
            },
            "actions"_a, "Apply one action in each row.")
        .def(
            "play",
            [](Self& self, InputArray<std::uint32_t> turns) {
                const std::uint32_t* turn = checked_data(turns, self.core.rows());
                self.run([&] { self.core.play(turn, self.out); });
            },
            "turns"_a, "Play a packed turn in each row.")
        .def(
            "sample",
            [](Self& self, OutputArray<std::int64_t> actions) {
                std::int64_t* action = checked_data(actions, self.core.rows());
                self.run([&] { self.core.sample(action); });
            },
            "actions"_a.noconvert(), "Write a random legal action for each row.")
        .def(
            "afterstates",
            [](Self& self, int k, OutputArray<std::uint32_t> turns, OutputArray<float> gains,
               OutputArray<std::int16_t> features, OutputArray<std::int32_t> counts) {
                if (k < 1 || k > 4096) throw std::invalid_argument("k must be from 1 to 4096");
                const auto rows = static_cast<std::size_t>(self.core.rows()), all = rows * static_cast<std::size_t>(k);
                std::uint32_t* turn = checked_data(turns, all);
                float* gain = checked_data(gains, all);
                std::int16_t* feature = checked_data(features, all * Core::kMaxFeatures);
                std::int32_t* count = checked_data(counts, rows);
                self.run([&] { self.core.afterstates(k, turn, gain, feature, count); });
            },
            "k"_a, "turns"_a.noconvert(), "gains"_a.noconvert(), "features"_a.noconvert(), "counts"_a.noconvert(),
            "Write up to k turns with distinct results for each row, those that gain most first: packed turns, gains, "
            "active features after them, and their number.")
        .def(
            "observe", [](Self& self) { self.run([&] { self.core.observe(self.out); }); },
            "Write the observations again.")
        .def(
            "copy",
            [](Self& self) {
                const std::lock_guard lock(self.mutex);
                return std::make_unique<Self>(self.core);
            },
            "Return a copy of the games, without arrays.")
        .def_prop_ro("rows", [](const Self& self) { return self.core.rows(); })
        .def_prop_ro("games", [](const Self& self) { return self.core.options().games; })
        .def_prop_ro("players", [](const Self& self) { return self.core.options().players; });
    bound_class.attr("PLANE_COUNT") = Core::kPlaneCount + 0;
    bound_class.attr("VECTOR_SIZE") = Core::kVectorSize + 0;
    bound_class.attr("PACKED_WORDS") = Core::kPackedWords + 0;
    bound_class.attr("FEATURE_COUNT") = Core::kFeatureCount + 0;
    bound_class.attr("MAX_FEATURES") = Core::kMaxFeatures + 0;
}

std::vector<limes::Card> checked_deck(const std::vector<limes::Card>& deck) {
    if (deck.size() != limes::kDeckSize) throw std::invalid_argument("a deck has 24 cards");
    return deck;
}

std::vector<std::uint8_t> checked_card_indices(const std::vector<int>& cards) {
    std::vector<std::uint8_t> card_indices;
    Bitboard seen = 0;
    for (const int card : cards) {
        if (card < 0 || card >= limes::kDeckSize || contains(seen, card)) {
            throw std::invalid_argument("cards must be distinct and from 0 to 23");
        }
        seen |= bit_at(card);
        card_indices.push_back(static_cast<std::uint8_t>(card));
    }
    return card_indices;
}

void bind_limes_batch(nb::module_ m) {
    using Core = limes::Batch;
    using Self = SharedBatch<Core>;
    nb::class_<Self> bound_class(m, "Batch",
                                 "Games that advance action by action and write into arrays of the caller.");
    bound_class.def(
        "__init__",
        [](Self* self, const std::vector<limes::Card>& deck, int games, int players, bool diagonal, bool ferryman,
           bool reward_at_end, float illegal_reward, int autoreset_mode, int threads) {
            check_size(games, threads);
            if (players < 1 || players > 64) throw std::invalid_argument("players must be from 1 to 64");
            const Core::Options options{games,
                                        players,
                                        threads,
                                        {diagonal, ferryman},
                                        reward_at_end,
                                        illegal_reward,
                                        to_autoreset(autoreset_mode)};
            new (self) Self(options, checked_deck(deck));
        },
        "deck"_a, "games"_a, nb::kw_only(), "players"_a = 1, "diagonal"_a = false, "ferryman"_a = false,
        "reward_at_end"_a = false, "illegal_reward"_a = -1.0F, "autoreset"_a = 1, "threads"_a = 1);
    bind_common(bound_class);
    bound_class
        .def(
            "deal",
            [](Self& self, int game, const std::vector<int>& cards) {
                if (cards.size() < limes::kRounds) throw std::invalid_argument("a deal has 16 cards or more");
                const std::vector<std::uint8_t> card_indices = checked_card_indices(cards);
                const std::lock_guard lock(self.mutex);
                self.core.deal(checked_game_index(game, self.core.options().games), card_indices);
            },
            "game"_a, "cards"_a, "Restart one game with these cards (0 to 23) in this order.")
        .def(
            "set_game",
            [](Self& self, int game, const std::vector<limes::Display>& displays, const std::vector<int>& draws) {
                const std::vector<std::uint8_t> card_indices = checked_card_indices(draws);
                const std::lock_guard lock(self.mutex);
                if (!self.core.set_game(checked_game_index(game, self.core.options().games), displays, card_indices)) {
                    throw std::invalid_argument("displays, variants and draws do not fit each other or the batch");
                }
            },
            "game"_a, "displays"_a, "draws"_a, "Set one game to these displays and drawn cards (0 to 23).")
        .def(
            "displays",
            [](Self& self, int game) {
                const int players = self.core.options().players;
                const int first_row = checked_game_index(game, self.core.options().games) * players;
                const std::lock_guard lock(self.mutex);
                std::vector<limes::Display> displays;
                for (int player = 0; player < players; ++player)
                    displays.push_back(self.core.display(first_row + player));
                return displays;
            },
            "game"_a, "Return the displays of a game, with the card of the round where it is placed.")
        .def(
            "draws",
            [](Self& self, int game) {
                const std::lock_guard lock(self.mutex);
                const auto cards = self.core.draws(checked_game_index(game, self.core.options().games));
                return std::vector<int>(cards.begin(), cards.end());
            },
            "game"_a, "Return the cards drawn in a game (0 to 23).");
    bound_class.attr("ACTION_COUNT") = Core::kActionCount + 0;
    bound_class.attr("FRAME_SIDE") = Core::kFrameSide + 0;
}

void bind_limit_batch(nb::module_ m) {
    using Core = limit::Batch;
    using Self = SharedBatch<Core>;
    nb::class_<Self> bound_class(m, "Batch",
                                 "Games that advance action by action and write into arrays of the caller.");
    bound_class.def(
        "__init__",
        [](Self* self, int games, int players, int size, int layouts, std::uint64_t seed, float illegal_reward,
           int autoreset_mode, int threads) {
            check_size(games, threads);
            if (players < 2 || players > 3 || size < 4 || size > 16) {
                throw std::invalid_argument("size must be from 4 to 16, players 2 or 3");
            }
            if (layouts < 0 || layouts > 1 << 16) throw std::invalid_argument("layouts must be from 0 to 65,536");
            const Core::Options options{games,   players, size,           threads,
                                        layouts, seed,    illegal_reward, to_autoreset(autoreset_mode)};
            new (self) Self(options);
        },
        "games"_a, nb::kw_only(), "players"_a = 2, "size"_a = 8, "layouts"_a = 0, "seed"_a = 0,
        "illegal_reward"_a = -1.0F, "autoreset"_a = 1, "threads"_a = 1);
    bind_common(bound_class);
    bound_class
        .def(
            "set_game",
            [](Self& self, int game, const limit::Board& board) {
                limit::require_layout(board);
                const std::lock_guard lock(self.mutex);
                if (!self.core.set_game(checked_game_index(game, self.core.options().games), board.layout,
                                        board.state)) {
                    throw std::invalid_argument(
                        "the layout does not fit the batch: wrong size or players, or too wide for the frame");
                }
            },
            "game"_a, "board"_a, "Set one game to this board.")
        .def(
            "board",
            [](Self& self, int game) {
                const int game_index = checked_game_index(game, self.core.options().games);
                const std::lock_guard lock(self.mutex);
                return limit::Board{self.core.layout(game_index), self.core.state(game_index)};
            },
            "game"_a, "Return the board of a game when the current turn began.")
        .def_prop_ro("frame_side", [](const Self& self) { return self.core.frame_side(); });
    bound_class.attr("SMALL_FRAME_SIDE") = Core::kSmallFrameSide + 0;
    bound_class.attr("LARGE_FRAME_SIDE") = Core::kLargeFrameSide + 0;
}

}  // namespace

void bind_batches(nb::module_ limes, nb::module_ limit) {
    bind_limes_batch(limes);
    bind_limit_batch(limit);
}

}  // namespace limina
