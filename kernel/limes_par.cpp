#include "limes_par.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "limes_orders.hpp"

namespace limina::limes {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A turn on the way: which display of the beam before it, and what was played there.
struct Step {
    Choice choice;
    std::uint32_t parent;
};

bool better(const Step& a, const Step& b) {
    if (a.choice.value != b.choice.value) return a.choice.value > b.choice.value;
    if (a.parent != b.parent) return a.parent < b.parent;
    return std::tuple(a.choice.cell, a.choice.turning, a.choice.from, a.choice.to) <
           std::tuple(b.choice.cell, b.choice.turning, b.choice.from, b.choice.to);
}

// Keeps the best so many of all that are added, and knows what a newcomer must reach.
class Best {
  public:
    explicit Best(std::size_t most) : most_(most) { steps_.reserve(4 * most); }

    // What falls below is not among the best.
    float bar() const { return bar_; }
    void add(const Step& step) {
        steps_.push_back(step);
        if (steps_.size() >= 4 * most_) cut();
    }
    void add(const Best& other) {
        for (const Step& step : other.steps_) {
            if (step.choice.value >= bar_) add(step);
        }
    }
    std::size_t most() const { return most_; }
    std::vector<Step>& sorted() {
        cut();
        std::sort(steps_.begin(), steps_.end(), better);
        return steps_;
    }

  private:
    void cut() {
        if (steps_.size() <= most_) return;
        const auto last = steps_.begin() + static_cast<std::ptrdiff_t>(most_);
        std::nth_element(steps_.begin(), last - 1, steps_.end(), better);
        steps_.erase(last, steps_.end());
        bar_ = steps_.back().choice.value;
    }

    std::size_t most_;
    float bar_ = -1e9F;
    std::vector<Step> steps_;
};

Word mixed(Word hash, Word word) { return Chance(hash ^ word).next(); }

Word ground_key(const Display& d) {
    return mixed(mixed(mixed(d.cover, d.ground.lo), d.ground.hi), static_cast<Word>(d.left + 8 * d.top));
}

// The same for all displays that play alike: a worker's place within his territory does not matter.
Word full_key(Word ground, const Land& land, const Crew& crew) {
    Word key = ground;
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        key += mixed(land.zones[at(number)], crew.number[at(number)]);
    }
    return key;
}

struct Beam {
    std::vector<Display> displays;
    std::vector<Step> steps;  // how each was reached
};

// All turns with this card from every so-many-th display of the beam, the best of them by the quick estimate; how many
// turns were judged, or nothing when time ran out.
std::optional<std::uint64_t> expand(const Values& values, const Beam& beam, std::size_t from, std::size_t stride,
                                    const Card& card, Best& best, const Deadline& deadline) {
    std::uint64_t tried = 0;
    Land land;
    for (std::size_t parent = from; parent < beam.displays.size(); parent += stride) {
        if (deadline.passed()) return {};
        const Display& d = beam.displays[parent];
        each_placement(d, card, land, [&](int cell, int turning, const Display& laid, const Land&, int corner) {
            const Crew workers = crew(laid, land);
            Judge judge(values, laid, land);
            judge.prepare(workers, laid.supply, goals(laid, land, workers, corner));
            each_action(laid, land, workers, corner, [&](int from, int to) {
                ++tried;
                const float about = to < 0 ? judge.now() : judge.after(from, to);
                if (about >= best.bar()) {
                    best.add({written(about, cell, turning, laid, land, corner, from, to),
                              static_cast<std::uint32_t>(parent)});
                }
            });
        });
    }
    return tried;
}

// The same of all displays, on several threads. Steps have a strict order, so what is best does not depend on them.
std::optional<std::uint64_t> expand(const Values& values, const Beam& beam, const Card& card, int threads, Best& best,
                                    const Deadline& deadline) {
    std::vector<Best> parts(at(threads), Best(best.most()));
    std::vector<std::optional<std::uint64_t>> tried(at(threads));
    in_parallel(threads, threads, [&](int i) {
        tried[at(i)] = expand(values, beam, at(i), at(threads), card, parts[at(i)], deadline);
        return true;
    });
    std::uint64_t sum = 0;
    for (int i = 0; i < threads; ++i) {
        if (!tried[at(i)]) return {};
        sum += *tried[at(i)];
        best.add(parts[at(i)]);
    }
    return sum;
}

// The displays that the steps lead to, judged in full, without those that play alike, and not too many that differ
// only in their workers.
Beam gathered(const Values& values, const Beam& before, const Card& card, const std::vector<Step>& steps,
              std::size_t width) {
    constexpr int kSameGround = 3;
    struct Child {
        Step step;
        Word ground, key;
    };
    std::vector<Child> children;
    children.reserve(steps.size());
    Land land;
    for (Step step : steps) {
        const Display d = played(before.displays[step.parent], card, step.choice);
        outline(d, land);
        measure(d, land);
        const Crew workers = crew(d, land);
        step.choice.value = Judge(values, d, land).value(workers, d.supply);
        const Word ground = ground_key(d);
        children.push_back({step, ground, full_key(ground, land, workers)});
    }
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return better(a.step, b.step); });
    Beam beam;
    std::unordered_map<Word, int> seen;
    for (const Child& child : children) {
        if (beam.displays.size() >= width) break;
        if (++seen[child.key] > 1 || ++seen[child.ground ^ 1] > kSameGround) continue;
        beam.displays.push_back(played(before.displays[child.step.parent], card, child.step.choice));
        beam.steps.push_back(child.step);
    }
    return beam;
}

// So many times the width are judged in full.
constexpr std::size_t kJudged = 2;

constexpr double kEndless = 1e18;
// Displays that go on when time is out: so few that they take none.
constexpr std::size_t kHurried = 10;

// The seconds for each card, by the width of the beam.
using Costs = std::vector<double>;

// How wide the beam can be from this card on, so that it comes to the end in time.
double affordable(const Costs& costs, std::size_t card, double seconds) {
    constexpr double kCaution = 0.93;
    double later = 1e-9;
    for (std::size_t n = card; n < costs.size(); ++n) later += costs[n];
    return std::max<double>(kHurried, kCaution * seconds / later);
}

// One pass with a beam of this width, or narrower where the costs say that time would run out. Tells its own costs.
// Nothing when it was stopped.
Par pass(const Values& values, std::span<const Card> cards, Variants variants, int width, int threads,
         const Deadline& deadline, Costs& costs) {
    Par result;
    std::vector<Beam> beams(1);
    beams[0].displays.emplace_back();
    beams[0].displays[0].variants = variants;
    const Costs known = std::exchange(costs, Costs(cards.size()));
    std::size_t kept = at(width);
    for (std::size_t n = 0; n < cards.size(); ++n) {
        const bool last = n + 1 == cards.size();
        const double begun = deadline.timer.seconds();
        if (!last && !known.empty()) {
            const double fitting = affordable(known, n, deadline.seconds - begun);
            // Never much wider than before: what a sudden growth costs is not known.
            const double most = n == 0 ? width : std::min<double>(width, 1.25 * static_cast<double>(kept) + 1);
            kept = static_cast<std::size_t>(std::min(fitting, most));
        }
        if (last) kept = 1;
        result.width = std::max(result.width, static_cast<int>(kept));
        Best best(kept == 1 ? 1 : kJudged * kept);
        auto tried = expand(values, beams[n], cards[n], threads, best, deadline);
        if (!tried && !deadline.stop.is_set()) {
            // Out of time: only the best few go on to the end.
            beams[n].displays.resize(std::min(kHurried, beams[n].displays.size()));
            kept = std::min(kept, kHurried);
            best = Best(last ? 1 : kJudged * kHurried);
            tried = expand(values, beams[n], cards[n], 1, best, {deadline.timer, kEndless, deadline.stop});
        }
        if (!tried) return {};
        result.tried += *tried;
        beams.push_back(gathered(values, beams[n], cards[n], best.sorted(), kept));
        costs[n] = (deadline.timer.seconds() - begun) / width;
    }
    // Back from the best full display to the first card.
    result.total = total(beams.back().displays[0]);
    std::uint32_t index = 0;
    for (std::size_t n = cards.size(); n > 0; --n) {
        const Step& step = beams[n].steps[index];
        result.turns.push_back(turn_of(beams[n - 1].displays[step.parent], cards[n - 1], step.choice));
        index = step.parent;
    }
    std::reverse(result.turns.begin(), result.turns.end());
    return result;
}

}  // namespace

Par par(const Values& values, std::span<const Card> cards, Variants variants, int width, int threads, double seconds,
        const Stop& stop) {
    const Timer timer;
    const Deadline deadline{timer, seconds, stop};
    // A narrow pass first: it tells what a wide one will cost, and is the answer should that be stopped.
    constexpr int kNarrow = 300;
    Costs costs;
    Par narrow = pass(values, cards, variants, std::clamp(width / 10, 1, kNarrow), threads, deadline, costs);
    if (narrow.turns.empty() || width == 1) return narrow;
    Par wide = pass(values, cards, variants, width, threads, deadline, costs);
    wide.tried += narrow.tried;
    if (wide.turns.empty() || narrow.total > wide.total) {
        narrow.tried = wide.tried;
        narrow.width = std::max(narrow.width, wide.width);
        return narrow;
    }
    return wide;
}

}  // namespace limina::limes
