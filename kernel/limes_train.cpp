#include "limes_train.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "limes_greedy.hpp"

namespace limina::limes {

Training::Training()
    : sums_(static_cast<std::size_t>(Values::kSize), 0.0F), sizes_(static_cast<std::size_t>(Values::kSize), 0.0F) {}

Training::Training(std::vector<float> weights, std::vector<float> sums, std::vector<float> sizes)
    : sums_(std::move(sums)), sizes_(std::move(sizes)) {
    const auto right = static_cast<std::size_t>(Values::kSize);
    if (weights.size() != right || sums_.size() != right || sizes_.size() != right) {
        throw std::invalid_argument("the checkpoint has the wrong size");
    }
    std::copy(weights.begin(), weights.end(), values_.weights().begin());
}

double Training::run(std::span<const Card> deck, std::uint64_t games, float rate, float lambda, Word seed,
                     const Stop& stop) {
    Chance chance(seed);
    std::array<std::uint8_t, kCards> order;
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::array<std::vector<int>, kRounds> indices;
    std::array<float, kRounds> guesses;
    double sum = 0;
    std::uint64_t done = 0;
    const std::span<float> weights = values_.weights();
    for (; done < games && !stop.is_set(); ++done) {
        Display d;
        // One game in eight is played with each variant, so that the values know both.
        const unsigned variant = chance.below(8);
        d.variants = {variant == 0, variant == 1};
        for (std::size_t n = 0; n < kRounds; ++n) {
            std::swap(order[n], order[n + chance.below(static_cast<unsigned>(kCards - n))]);
            const Card& card = deck[order[n]];
            d = played(d, card, greedy(values_, d, card));
            indices[n].clear();
            guesses[n] = value(values_, d, &indices[n]);
        }
        sum += guesses[kRounds - 1];
        float target = guesses[kRounds - 1];
        for (int n = kRounds - 2; n >= 0; --n) {
            const auto at = static_cast<std::size_t>(n);
            target = lambda * target + (1 - lambda) * guesses[at + 1];
            const std::size_t base = at * static_cast<std::size_t>(Values::kTable);
            const float error = target - guesses[at];
            const float share = rate * error / static_cast<float>(indices[at].size());
            for (const int index : indices[at]) {
                const std::size_t i = base + static_cast<std::size_t>(index);
                const float pace = sizes_[i] > 0 ? std::abs(sums_[i]) / sizes_[i] : 1.0F;
                weights[i] += pace * share;
                sums_[i] += share;
                sizes_[i] += std::abs(share);
            }
        }
    }
    return done > 0 ? sum / static_cast<double>(done) : 0;
}

}  // namespace limina::limes
