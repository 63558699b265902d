#include "limes/portable/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "limes/greedy.hpp"

namespace limina::limes {

namespace {

// Any turn that differs from others, each as likely.
Choice any_turn(const Display& d, const Card& card, Rng& rng) {
    Choice choice;
    unsigned met = 0;
    Land land;
    each_placement(d, card, land, [&](int cell, int turning, const Display& laid, int corner) {
        each_action(laid, land, crew(laid, land), corner, [&](int from, int to) {
            if (rng.below(++met) == 0) choice = written(0, cell, turning, laid, land, corner, from, to);
        });
    });
    return choice;
}

}  // namespace

Trainer::Trainer() : sums_(at(Values::kSize), 0.0F), sizes_(at(Values::kSize), 0.0F) {
    // A network that is zero everywhere would stay so.
    const std::span<float> weights = values_.weights();
    Rng rng(1);
    const auto between = [&](double low, double high) {
        return static_cast<float>(low + (high - low) * rng.fraction());
    };
    for (int i = 0; i < Values::kHeads; ++i) weights[at(i)] = between(-0.1, 0.1);
    for (int k = 0; k < 2 * kHidden; ++k) {
        const float number = k < kHidden ? between(0, 1) : between(-0.25, 0.25);
        for (int cards = 1; cards < kRounds; ++cards) weights[at(Values::head(cards) + k)] = number;
    }
}

Trainer::Trainer(std::span<const float> weights, std::span<const float> means, std::vector<float> sums,
                 std::vector<float> sizes)
    : sums_(std::move(sums)), sizes_(std::move(sizes)) {
    const std::size_t right = at(Values::kSize);
    if (weights.size() != right || means.size() != right || sums_.size() != right || sizes_.size() != right) {
        throw std::invalid_argument("the checkpoint has the wrong size");
    }
    std::copy(weights.begin(), weights.end(), values_.weights().begin());
    std::copy(means.begin(), means.end(), means_.weights().begin());
}

// One step of this size, shorter where slopes have been steep of late.
void Trainer::step(std::span<float> weights, std::size_t size_at, std::span<const float> slopes, float step) {
    constexpr float kMemory = 0.001F, kLeast = 1e-3F;
    float squares = 0;
    for (const float slope : slopes) squares += slope * slope;
    float& size = sizes_[size_at];
    size += kMemory * (squares / static_cast<float>(slopes.size()) - size);
    const float scale = step / (std::sqrt(size) + kLeast);
    for (std::size_t k = 0; k < slopes.size(); ++k) weights[size_at + k] += scale * slopes[k];
}

void Trainer::learn(int cards, std::span<const int> entries, const Outlook& outlook, float error, const Pace& pace) {
    const std::span<float> weights = values_.weights();
    const Values::Stage stage(values_, cards, outlook);
    Sum sum = stage.begin();
    for (const int entry : entries) stage.add(sum, entry);
    const int head = Values::head(cards);
    std::array<float, kHidden> slopes, counted;
    for (int k = 0; k < kHidden; ++k) {
        const bool on = sum.hidden[k] > 0;
        slopes[at(k)] = on ? error * weights[at(head + kHidden + k)] : 0;
        counted[at(k)] = on ? error * sum.hidden[k] : 0;
    }
    for (int k = 0; k < kHidden; ++k) {
        step(weights, at(head + k), std::span(slopes).subspan(at(k), 1), pace.network);
        step(weights, at(head + kHidden + k), std::span(counted).subspan(at(k), 1), pace.network);
    }
    const float share = pace.tables * error / static_cast<float>(entries.size());
    const auto correct = [&](int entry, float times) {
        const std::size_t i = at(Values::table(cards) + entry);
        const float own = sizes_[i] > 0 ? std::abs(sums_[i]) / sizes_[i] : 1.0F;
        weights[i] += own * times * share;
        sums_[i] += times * share;
        sizes_[i] += std::abs(times * share);
        std::array<float, kHidden> scaled;
        for (std::size_t k = 0; k < kHidden; ++k) scaled[k] = times * slopes[k];
        step(weights, at(Values::row(entry)), scaled, pace.network);
    };
    for (const int entry : entries) correct(entry, 1);
    for (int i = 0; i < Outlook::kNumbers; ++i) correct(entry::kOutlook + i, outlook.more[at(i)]);
}

double Trainer::run(std::span<const Card> deck, std::uint64_t games, const Pace& pace, Word seed, const Stop& stop) {
    Rng rng(seed);
    std::array<std::uint8_t, kCards> order;
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::array<std::vector<int>, kRounds> entries;
    std::array<Outlook, kRounds> outlooks;
    std::array<float, kRounds> guesses, best;
    std::array<bool, kRounds> explored;
    double sum = 0;
    std::uint64_t done = 0;
    for (; done < games && !stop.is_set(); ++done) {
        Display d;
        // One game in eight is played with each variant, so that the values know both.
        const unsigned variant = rng.below(8);
        d.variants = {variant == 0, variant == 1};
        std::uint32_t unseen = (1U << kCards) - 1;
        for (std::size_t n = 0; n < kRounds; ++n) {
            std::swap(order[n], order[n + rng.below(static_cast<unsigned>(kCards - n))]);
            const Card& card = deck[order[n]];
            unseen &= ~(1U << order[n]);
            outlooks[n] = outlook(deck, unseen);
            const Choice choice = greedy(values_, d, card, outlooks[n]);
            best[n] = choice.value;
            explored[n] = rng.fraction() < pace.explore;
            d = played(d, card, explored[n] ? any_turn(d, card, rng) : choice);
            guesses[n] = value(values_, d, outlooks[n], &entries[n]);
        }
        sum += guesses[kRounds - 1];
        float target = guesses[kRounds - 1];
        for (int cards = kRounds - 1; cards > 0; --cards) {
            // What came of a turn that nobody would choose says nothing about the display before it.
            const float followed = pace.trace * target + (1 - pace.trace) * guesses[at(cards)];
            target = explored[at(cards)] ? best[at(cards)] : followed;
            const std::size_t n = at(cards - 1);
            learn(cards, entries[n], outlooks[n], target - guesses[n], pace);
        }
    }
    const std::span<float> means = means_.weights();
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += pace.recent * (values_.weights()[i] - means[i]);
    return done > 0 ? sum / static_cast<double>(done) : 0;
}

}  // namespace limina::limes
