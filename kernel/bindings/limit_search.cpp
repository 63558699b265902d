// Python bindings of the weights, solver, searches and training of Limit.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/limit_board.hpp"
#include "limit/opponent_model.hpp"
#include "limit/portable/search.hpp"
#include "limit/portable/trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

using namespace limit;

// Files hold weights as 16-bit integers in steps of 1/1024.
constexpr float kQuantizationStep = 1.0F / 1024;
constexpr int kMaxThreads = 256;

Weights read_weights(const nb::bytes& data) {
    if (data.size() != patterns::kWeightCount * sizeof(std::int16_t))
        throw std::invalid_argument("wrong number of weights");
    Weights weights;
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        const auto* at = static_cast<const unsigned char*>(data.data()) + 2 * i;
        const auto raw = static_cast<std::uint16_t>(at[0] | at[1] << 8);
        weights.values[i] = static_cast<float>(static_cast<std::int16_t>(raw)) * kQuantizationStep;
    }
    return weights;
}

nb::bytes write_weights(const Weights& weights) {
    std::vector<unsigned char> data;
    for (const float weight : weights.values) {
        const float steps = std::clamp(std::round(weight / kQuantizationStep), -32767.0F, 32767.0F);
        const auto raw = static_cast<std::uint16_t>(static_cast<std::int16_t>(steps));
        data.push_back(static_cast<unsigned char>(raw & 255));
        data.push_back(static_cast<unsigned char>(raw >> 8));
    }
    return nb::bytes(data.data(), data.size());
}

nb::bytes to_bytes(const std::vector<float>& floats) { return nb::bytes(floats.data(), floats.size() * sizeof(float)); }

void copy_floats(std::vector<float>& floats, const nb::bytes& data) {
    if (data.size() != floats.size() * sizeof(float)) throw std::invalid_argument("wrong number of weights");
    std::memcpy(floats.data(), data.data(), data.size());
}

void require_ongoing(const Board& board) {
    require_layout(board);
    if (board.position().over) throw std::invalid_argument("the game is over");
}

}  // namespace

void bind_limit_search(nb::module_ m) {
    nb::class_<Weights>(m, "Weights", "The weights of the evaluation.")
        .def(nb::init<>())
        .def(
            "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a,
            "Return the same object, which is immutable.")
        .def_static("from_bytes", &read_weights, "data"_a, "Read weights from the bytes of `to_bytes`.")
        .def_static("naive", &naive_weights, "Return the untrained weights of a beginner.")
        .def("to_bytes", &write_weights, "Return the weights as 16-bit integers.")
        .def(
            "win_probabilities",
            [](const Weights& weights, const Board& board) {
                require_layout(board);
                const Position& position = board.position();
                return position.over ? terminal_win_probabilities(position)
                                     : evaluate(*board.layout, weights, position, TurnPart::move);
            },
            "board"_a, "Return the probability of each player to win, without search.");

    nb::class_<SearchOptions>(m, "SearchOptions", "Parameters of the tree search.")
        .def(
            "__deepcopy__", [](const SearchOptions& self, nb::handle) { return self; }, "memo"_a, "Return a copy.")
        .def(nb::init<>())
        .def_rw("exploration", &SearchOptions::exploration)
        .def_rw("minimax_weight", &SearchOptions::minimax_weight)
        .def_rw("inverse_temperature", &SearchOptions::inverse_temperature)
        .def_rw("noise", &SearchOptions::noise)
        .def_rw("myopic_probability", &SearchOptions::myopic_probability)
        .def_rw("max_depth", &SearchOptions::max_depth)
        .def_rw("miss_rate", &SearchOptions::miss_rate)
        .def_rw("solver_max_tiles", &SearchOptions::solver_max_tiles)
        .def_rw("solver_max_positions", &SearchOptions::solver_max_positions)
        .def_rw("root_solver_max_tiles", &SearchOptions::root_solver_max_tiles)
        .def_rw("root_solver_max_positions", &SearchOptions::root_solver_max_positions);

    nb::class_<Candidate>(m, "Candidate", "A turn that a search has evaluated.")
        .def_prop_ro("turn", [](const Candidate& c) { return c.turn.pack(); })
        .def_ro("win_probabilities", &Candidate::win_probabilities, "The probability of each player to win.")
        .def_ro("visits", &Candidate::visits);

    nb::class_<SearchResult>(m, "SearchResult", "The result of a search.")
        .def_ro("candidates", &SearchResult::candidates, "The turns, best first.")
        .def_ro("work", &SearchResult::work)
        .def_ro("nodes", &SearchResult::nodes)
        .def_ro("is_proven", &SearchResult::is_proven, "True if the result of the best turn is exact.");

    m.def(
        "search",
        [](const Board& board, const Weights& weights, const SearchOptions& options, std::uint64_t work,
           double milliseconds, int threads, std::uint64_t seed, const CancelToken* cancel_token) {
            require_ongoing(board);
            nb::gil_scoped_release gil_release;
            return search(*board.layout, weights, board.state, options, {work, milliseconds, cancel_token}, threads,
                          seed);
        },
        "board"_a, "weights"_a, "options"_a, "work"_a, "milliseconds"_a = 1e9, "threads"_a = 1, "seed"_a = 0,
        "cancel_token"_a = nb::none(),
        "Search the turns of the player to move best first, with `weights` at the leaves.");
    m.attr("EVIDENCE_WORK_PER_TURN") = kEvidenceWorkPerTurn + 0;
    m.def(
        "myopic_evidence",
        [](const std::vector<std::pair<Board, std::uint32_t>>& turns, const Weights& weights, double milliseconds,
           std::uint64_t seed, const CancelToken* cancel_token) {
            std::vector<PastTurn> list;
            for (const auto& [board, turn] : turns) {
                require_ongoing(board);
                list.push_back({board.layout.get(), board.state, Turn::unpack(turn)});
            }
            nb::gil_scoped_release gil_release;
            return myopic_evidence(list, weights, milliseconds, cancel_token, seed);
        },
        "turns"_a, "weights"_a, "milliseconds"_a = 1e9, "seed"_a = 0, "cancel_token"_a = nb::none(),
        "Return for each turn, with the board that it was played on, the log-likelihood ratio of a myopic player to "
        "one "
        "who looks ahead. The list is shorter if the time is over. Each turn takes EVIDENCE_WORK_PER_TURN "
        "evaluations.");
    m.def(
        "uct",
        [](const Board& board, float exploration, std::uint64_t work, double milliseconds, std::uint64_t seed,
           const CancelToken* cancel_token) {
            require_ongoing(board);
            nb::gil_scoped_release gil_release;
            return uct(*board.layout, board.state, exploration, {work, milliseconds, cancel_token}, seed);
        },
        "board"_a, "exploration"_a, "work"_a, "milliseconds"_a = 1e9, "seed"_a = 0, "cancel_token"_a = nb::none(),
        "Search the turns of the player to move by plain UCT with random playouts.");
    m.def(
        "solve",
        [](const Board& board, const Weights& weights, std::uint64_t max_positions,
           const CancelToken* cancel_token) -> std::optional<std::vector<std::pair<std::uint32_t, int>>> {
            require_ongoing(board);
            nb::gil_scoped_release gil_release;
            const auto results =
                Solver(*board.layout, weights, 16).solve_turns(board.state, max_positions, cancel_token);
            if (!results) return std::nullopt;
            std::vector<std::pair<std::uint32_t, int>> turns;
            for (const auto& [turn, result] : *results) turns.emplace_back(turn.pack(), static_cast<int>(result));
            return turns;
        },
        "board"_a, "weights"_a, "max_positions"_a, "cancel_token"_a = nb::none(),
        "Return every legal turn with its result under best play (1 wins, 0 ties, -1 loses), or None if that takes "
        "more "
        "than `max_positions` positions.");

    nb::class_<Trainer>(m, "Trainer", "Learns weights by self-play.")
        .def(nb::init<>())
        .def(
            "play_game",
            [](Trainer& trainer, int size, int players, std::uint64_t work, float rate, std::uint64_t seed,
               int min_tiles) {
                if (size < 4 || size > 16 || players < 2 || players > 3) {
                    throw std::invalid_argument("size must be from 4 to 16, players 2 or 3");
                }
                nb::gil_scoped_release gil_release;
                return trainer.play_game({size, players, work, rate, min_tiles}, seed);
            },
            "size"_a, "players"_a, "work"_a, "rate"_a, "seed"_a, "min_tiles"_a = 0,
            "Play one game, learn from it, and return the mean loss of the evaluation against the result of the game.")
        .def("start_from", &Trainer::start_from, "weights"_a, "Start with trained weights.")
        .def(
            "weights", [](const Trainer& trainer) { return trainer.weights(); }, "Return the present weights.")
        .def(
            "state",
            [](Trainer& trainer) {
                return std::pair(to_bytes(trainer.weights().values), to_bytes(trainer.squared_gradients()));
            },
            "Return the complete state, for `restore`.")
        .def(
            "restore",
            [](Trainer& trainer, const nb::bytes& weights, const nb::bytes& squared_gradients) {
                copy_floats(trainer.weights().values, weights);
                copy_floats(trainer.squared_gradients(), squared_gradients);
            },
            "weights"_a, "squared_gradients"_a, "Continue from the parts of a `state`.");
}

}  // namespace limina
