#include "limes/evaluator.hpp"

#include <algorithm>
#include <cstring>

#include "common/simd.hpp"

namespace limina::limes {

namespace {

constexpr int kMostPoints = std::tuple_size_v<Levels>;  // that are told apart
constexpr int kRock = static_cast<int>(Landscape::rock);

// The levels with any of these territories, as a set.
inline unsigned levels_with(const Levels& levels, Word territories) {
    unsigned found = 0;
    for (int i = 0; i < kMostPoints; i += kLanes) {
        Lanes some;
        std::memcpy(&some, &levels[at(i)], sizeof some);
        found |= occupied(Lanes{some & territories}) << i;
    }
    return found;
}

// The zones beside a cell, by its column and row on the board, each from -1 to 4.
constexpr int kColumns = kSide + 2;
constexpr std::array<Word, kColumns * kColumns> kBesideCell = [] {
    std::array<Word, kColumns * kColumns> beside{};
    for (int row = -1; row <= kSide; ++row) {
        for (int column = -1; column <= kSide; ++column) {
            Word& zones = beside[static_cast<std::size_t>((row + 1) * kColumns + column + 1)];
            const auto add = [&](int x, int y) {
                if (x >= 0 && x < 2 * kSide && y >= 0 && y < 2 * kSide) zones |= Word{1} << (8 * y + x);
            };
            for (int i = 0; i < 2; ++i) {
                add(2 * column + i, 2 * row - 1);
                add(2 * column + i, 2 * row + 2);
                add(2 * column - 1, 2 * row + i);
                add(2 * column + 2, 2 * row + i);
            }
        }
    }
    return beside;
}();

}  // namespace

Evaluator::Evaluator(const Values::Stage& stage, const Display& d, const Land& land)
    : stage_(stage), display_(d), land_(land), full_(d.cards == kRounds) {
    if (full_) return;
    for (int kind = 0; kind < 4; ++kind) {
        // A tower's view is wider than any territory's border.
        const int halves = kind == kRock;
        for (Word left = land.of_kind[at(kind)]; left != 0;) {
            const int number = pop(left);
            const int points = std::min<int>(land.points[at(number)], entry::kPoints - 1);
            const int open = std::min(land.open[at(number)] >> halves, entry::kOpen - 1);
            ground_[at(number)] = static_cast<std::uint8_t>(kind * entry::kPoints + points);
            opening_[at(number)] = static_cast<std::uint16_t>(ground_[at(number)] * entry::kOpen + open);
            if (points > 0) at_least_[at(std::min(points, kMostPoints) - 1)] |= bit(number);
        }
    }
    for (int i = kMostPoints - 2; i >= 0; --i) at_least_[at(i)] |= at_least_[at(i + 1)];
    bare_ = stage_.begin();
    terrain([&](int entry) { stage_.add(bare_, entry); });
}

// What workers do not change: the shape and the empty cells.
template <class Add>
inline void Evaluator::terrain(Add add) const {
    const Display& d = display_;
    add(entry::kShape + (std::min(d.width, d.height) - 1) * kSide + std::max(d.width, d.height) - 1);
    Word rich = 0;  // the zones of territories with three points and more
    for (Word left = at_least_[2]; left != 0;) rich |= land_.zones[at(pop(left))];
    const std::array<Word, 4> kinds = {d.field(), d.water(), d.forest(), d.rock()};
    for (Word left = open_cells(d); left != 0;) {
        const int cell = pop(left);
        const int column = (cell & 7) - d.left, row = (cell >> 3) - d.top;
        const Word beside = kBesideCell[at((row + 1) * kColumns + column + 1)] & d.cover;
        int number = 0;
        for (const Word kind : kinds) {
            const Word zones = kind & beside;
            number = number * entry::kBeside + (zones != 0) + ((zones & rich) != 0);
        }
        // A cell that only corners touch has no side; there are few of them.
        add(entry::kCell + number * entry::kSides + std::max(1, count(beside) / 2) - 1);
    }
}

Evaluator::Company Evaluator::company(const Crew& crew) const {
    Company found{crew.standing, land_.alive & ~crew.standing, 0, {}};
    Word crowded = 0;
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        found.taken_zones |= land_.zones[at(number)];
        if (crew.number[at(number)] > 1) crowded |= bit(number);
    }
    for (std::size_t i = 0; i < found.lows.size(); ++i) found.lows[i] = (~at_least_[i] & crew.standing) | crowded;
    return found;
}

// The points of the best territory without a worker beside the given one, at most 8.
int Evaluator::best_beside(int number, Word free) const {
    return std::bit_width(levels_with(at_least_, land_.adjacent[at(number)] & free));
}

// How well a worker beside a free territory could be spared for it.
int Evaluator::spared(int number, const Company& company) const {
    const Word adjacent = land_.adjacent[at(number)];
    if ((adjacent & company.standing) == 0) return 0;
    const unsigned found = levels_with(company.lows, adjacent);
    const int lowest = found == 0 ? kMostPoints : std::countr_zero(found);
    const int gain = land_.points[at(number)] - lowest;
    return gain <= 0 ? 1 : gain <= 2 ? 2 : 3;
}

int Evaluator::supply_entry(const Crew& crew, int supply) const {
    const Word poor = ~at_least_[2] & crew.standing;
    return entry::kSupply + supply * entry::kLow + std::min(count(poor), entry::kLow - 1);
}

// What a territory could reach or join beyond the empty cells beside it. A tower neither grows nor joins.
template <class Add>
inline void Evaluator::prospects(int number, bool taken, Word taken_zones, Add add) const {
    if (ground_[at(number)] >= kRock * entry::kPoints) return;
    const int place = ground_[at(number)] + (taken ? 0 : kRock * entry::kPoints);
    if (const int ahead = land_.ahead[at(number)]; ahead > 0) {
        add(entry::kAhead + place * entry::kAheads + std::min(ahead, entry::kAheads) - 1);
    }
    if (const Word across = land_.across[at(number)]; across != 0) {
        const int merge = (across & taken_zones) != 0 ? 0 : count(across) <= 2 ? 1 : 2;
        add(entry::kMerge + place * entry::kMerges + merge);
    }
}

template <class Add>
inline void Evaluator::taken(int number, const Company& company, Add add) const {
    const int best = best_beside(number, company.free);
    const int gain = std::clamp(best - land_.points[at(number)], 0, entry::kGain - 1);
    add(entry::kTaken + opening_[at(number)] * entry::kGain + gain);
    prospects(number, true, company.taken_zones, add);
}

template <class Add>
inline void Evaluator::free(int number, const Company& company, Add add) const {
    add(entry::kFree + opening_[at(number)] * entry::kSpared + spared(number, company));
    prospects(number, false, company.taken_zones, add);
}

template <class Add>
inline void Evaluator::all(const Crew& crew, int supply, Add add) const {
    const Company others = company(crew);
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        taken(number, others, add);
        for (int more = 1; more < crew.number[at(number)]; ++more) {
            add(entry::kSecond + best_beside(number, others.free));
        }
    }
    for (Word left = others.free; left != 0;) free(pop(left), others, add);
    add(supply_entry(crew, supply));
}

float Evaluator::value(const Crew& crew, int supply) const {
    if (full_) {
        int points = 0;
        for (Word left = crew.standing; left != 0;) points += land_.points[at(pop(left))];
        return static_cast<float>(points);
    }
    Sum sum = bare_;
    all(crew, supply, [&](int entry) { stage_.add(sum, entry); });
    return stage_.worth(sum);
}

std::vector<int> Evaluator::entries(const Crew& crew, int supply) const {
    std::vector<int> list;
    if (full_) return list;
    const auto add = [&](int entry) { list.push_back(entry); };
    terrain(add);
    all(crew, supply, add);
    return list;
}

void Evaluator::prepare(const Crew& crew, int supply, Word goals) {
    if (full_) {
        now_ = place_ = Sum{};
        for (Word left = land_.alive; left != 0;) {
            const int number = pop(left);
            const auto points = static_cast<float>(land_.points[at(number)]);
            const bool standing = has(crew.standing, number);
            come_[at(number)] = Sum{{}, standing ? 0 : points};
            if (standing) {
                now_.plain += points;
                go_[at(number)] = Sum{{}, crew.number[at(number)] > 1 ? 0 : -points};
            }
        }
        return;
    }
    const Company others = company(crew);
    now_ = bare_;
    const auto with = [&](int number) {
        Sum sum{};
        taken(number, others, [&](int entry) { stage_.add(sum, entry); });
        return sum;
    };
    const auto without = [&](int number) {
        Sum sum{};
        free(number, others, [&](int entry) { stage_.add(sum, entry); });
        return sum;
    };
    for (Word left = others.free; left != 0;) {
        const int number = pop(left);
        const Sum alone = without(number);
        now_ += alone;
        if (!has(goals, number)) continue;
        come_[at(number)] = with(number);
        come_[at(number)] -= alone;
    }
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        const Sum worked = with(number);
        Sum second{};
        stage_.add(second, entry::kSecond + best_beside(number, others.free));
        now_ += worked;
        for (int more = 1; more < crew.number[at(number)]; ++more) now_ += second;
        come_[at(number)] = second;
        if (crew.number[at(number)] > 1) {
            go_[at(number)] = Sum{};
            go_[at(number)] -= second;
        } else {
            go_[at(number)] = without(number);
            go_[at(number)] -= worked;
        }
    }
    stage_.add(now_, supply_entry(crew, supply));
    if (supply > 0) {
        Sum before{};
        stage_.add(before, supply_entry(crew, supply));
        place_ = Sum{};
        stage_.add(place_, supply_entry(crew, supply - 1));
        place_ -= before;
    }
}

}  // namespace limina::limes
