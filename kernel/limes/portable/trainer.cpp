#include "limes/portable/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "limes/greedy.hpp"

namespace limina::limes {

namespace {

// Returns a uniformly random turn of those with distinct results (reservoir sampling).
BoardTurn random_turn(const Display& d, const Card& card, Rng& rng) {
    BoardTurn turn;
    unsigned turns_seen = 0;
    TerritoryMap map;
    for_each_placement(d, card, map, [&](int cell, int turning, const Display& after_card, int corner) {
        for_each_action(after_card, map, workers_by_territory(after_card, map), corner, [&](int from, int to) {
            if (rng.below(++turns_seen) == 0) turn = to_board_turn(0, cell, turning, after_card, map, corner, from, to);
        });
    });
    return turn;
}

}  // namespace

Trainer::Trainer() : correction_sums_(Weights::kSize, 0.0F), magnitudes_(Weights::kSize, 0.0F) {
    // Gradients of a network of zeros are zero, so it starts with random weights.
    const std::span<float> weights = weights_.floats();
    Rng rng(1);
    const auto between = [&](double low, double high) {
        return static_cast<float>(low + (high - low) * rng.uniform());
    };
    for (int i = 0; i < Weights::kStageParameters; ++i) weights[i] = between(-0.1, 0.1);
    for (int k = 0; k < 2 * kHiddenSize; ++k) {
        const float value = k < kHiddenSize ? between(0, 1) : between(-0.25, 0.25);
        for (int cards = 1; cards < kRounds; ++cards) weights[Weights::stage_offset(cards) + k] = value;
    }
}

Trainer::Trainer(std::span<const float> weights, std::span<const float> averages, std::vector<float> correction_sums,
                 std::vector<float> magnitudes)
    : correction_sums_(std::move(correction_sums)), magnitudes_(std::move(magnitudes)) {
    const std::size_t expected = Weights::kSize;
    if (weights.size() != expected || averages.size() != expected || correction_sums_.size() != expected ||
        magnitudes_.size() != expected) {
        throw std::invalid_argument("the checkpoint has the wrong size");
    }
    std::copy(weights.begin(), weights.end(), weights_.floats().begin());
    std::copy(averages.begin(), averages.end(), averaged_weights_.floats().begin());
}

// Makes an RMSprop step for consecutive weights, the first of which is `index`. They share one mean squared gradient.
void Trainer::rms_step(std::span<float> weights, std::size_t index, std::span<const float> gradient, float step_size) {
    constexpr float kDecay = 0.001F, kEpsilon = 1e-3F;
    float squares = 0;
    for (const float partial : gradient) squares += partial * partial;
    float& size = magnitudes_[index];
    size += kDecay * (squares / static_cast<float>(gradient.size()) - size);
    const float scale = step_size / (std::sqrt(size) + kEpsilon);
    for (std::size_t k = 0; k < gradient.size(); ++k) weights[index + k] += scale * gradient[k];
}

void Trainer::update(int cards, std::span<const int> features, const RemainingDeck& remaining, float error,
                     const TrainingRates& rates) {
    const std::span<float> weights = weights_.floats();
    const Weights::Stage stage(weights_, cards, remaining);
    Accumulator sum = stage.initial();
    for (const int feature : features) stage.add(sum, feature);
    const int stage_offset = Weights::stage_offset(cards);
    std::array<float, kHiddenSize> gradient, output_gradient;
    for (int k = 0; k < kHiddenSize; ++k) {
        const bool is_active = sum.hidden[k] > 0;
        gradient[k] = is_active ? error * weights[stage_offset + kHiddenSize + k] : 0;
        output_gradient[k] = is_active ? error * sum.hidden[k] : 0;
    }
    for (int k = 0; k < kHiddenSize; ++k) {
        rms_step(weights, stage_offset + k, std::span(gradient).subspan(k, 1), rates.network_step);
        rms_step(weights, stage_offset + kHiddenSize + k, std::span(output_gradient).subspan(k, 1), rates.network_step);
    }
    const float correction = rates.table_rate * error / static_cast<float>(features.size());
    const auto update_feature = [&](int feature, float factor) {
        const std::size_t i = Weights::table_offset(cards) + feature;
        const float rate = magnitudes_[i] > 0 ? std::abs(correction_sums_[i]) / magnitudes_[i] : 1.0F;
        weights[i] += rate * factor * correction;
        correction_sums_[i] += factor * correction;
        magnitudes_[i] += std::abs(factor * correction);
        std::array<float, kHiddenSize> scaled;
        for (std::size_t k = 0; k < kHiddenSize; ++k) scaled[k] = factor * gradient[k];
        rms_step(weights, Weights::row_offset(feature), scaled, rates.network_step);
    };
    for (const int feature : features) update_feature(feature, 1);
    for (int i = 0; i < RemainingDeck::kFeatures; ++i) update_feature(feature::kRemainingDeck + i, remaining.excess[i]);
}

double Trainer::train(std::span<const Card> deck, std::uint64_t games, const TrainingRates& rates, std::uint64_t seed,
                      const CancelToken& cancel_token) {
    Rng rng(seed);
    std::array<std::uint8_t, kDeckSize> order;
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::array<std::vector<int>, kRounds> features;
    std::array<RemainingDeck, kRounds> remaining_decks;
    std::array<float, kRounds> predictions, best;
    std::array<bool, kRounds> explored;
    double sum = 0;
    std::uint64_t done = 0;
    for (; done < games && !cancel_token.is_canceled(); ++done) {
        Display d;
        // Each variant is played in one of eight games, so that the weights fit both.
        const unsigned variant = rng.below(8);
        d.variants = {variant == 0, variant == 1};
        std::uint32_t unseen = (1U << kDeckSize) - 1;
        for (std::size_t n = 0; n < kRounds; ++n) {
            std::swap(order[n], order[n + rng.below(static_cast<unsigned>(kDeckSize - n))]);
            const Card& card = deck[order[n]];
            unseen &= ~(1U << order[n]);
            remaining_decks[n] = remaining_deck(deck, unseen);
            const BoardTurn turn = greedy_turn(weights_, d, card, remaining_decks[n]);
            best[n] = turn.value;
            explored[n] = rng.uniform() < rates.exploration_rate;
            d = play_board_turn(d, card, explored[n] ? random_turn(d, card, rng) : turn);
            predictions[n] = evaluate(weights_, d, remaining_decks[n], &features[n]);
        }
        sum += predictions[kRounds - 1];
        float target = predictions[kRounds - 1];
        for (int cards = kRounds - 1; cards > 0; --cards) {
            // The result of an exploratory turn says nothing about the display before it: its target is the value of
            // the greedy turn.
            const float followed = rates.trace_decay * target + (1 - rates.trace_decay) * predictions[cards];
            target = explored[cards] ? best[cards] : followed;
            const std::size_t n = cards - 1;
            update(cards, features[n], remaining_decks[n], target - predictions[n], rates);
        }
    }
    const std::span<float> averages = averaged_weights_.floats();
    for (std::size_t i = 0; i < averages.size(); ++i)
        averages[i] += rates.averaging_weight * (weights_.floats()[i] - averages[i]);
    return done > 0 ? sum / static_cast<double>(done) : 0;
}

}  // namespace limina::limes
