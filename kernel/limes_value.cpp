#include "limes_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limina::limes {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::array<std::uint8_t, 8> kMagic = {'l', 'i', 'm', 'e', 's', 'v', '0', '1'};
constexpr float kScale = 256;

std::uint32_t checksum(std::span<const std::uint8_t> bytes) {  // FNV-1a
    std::uint32_t sum = 2166136261U;
    for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 16777619U;
    return sum;
}

}  // namespace

Values::Values() : weights_(at(kSize), 0.0F) {
    // Before any training a worker is thought to score what he scores now.
    for (int cards = 1; cards < kRounds; ++cards) {
        for (int i = 0; i < 4 * kPoints * kOpen * kGain; ++i) {
            weights_[at((cards - 1) * kTable + kTaken + i)] = static_cast<float>(i / kGain / kOpen % kPoints);
        }
    }
}

std::vector<std::uint8_t> Values::write() const {
    std::vector<std::uint8_t> file(kMagic.begin(), kMagic.end());
    std::vector<std::uint8_t> body;
    for (const float weight : weights_) {
        const auto number = static_cast<std::int16_t>(std::lround(std::clamp(weight * kScale, -32767.0F, 32767.0F)));
        body.push_back(static_cast<std::uint8_t>(number & 255));
        body.push_back(static_cast<std::uint8_t>((number >> 8) & 255));
    }
    const std::uint32_t sum = checksum(body);
    for (int shift = 0; shift < 32; shift += 8) file.push_back(static_cast<std::uint8_t>(sum >> shift));
    file.insert(file.end(), body.begin(), body.end());
    return file;
}

std::optional<Values> Values::read(std::span<const std::uint8_t> file, std::string& problem) {
    if (file.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), file.begin())) {
        problem = "it does not hold values of this version";
        return {};
    }
    if (file.size() != kMagic.size() + 4 + 2 * at(kSize)) {
        problem = "it has the wrong size";
        return {};
    }
    const auto body = file.subspan(kMagic.size() + 4);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum |= static_cast<std::uint32_t>(file[kMagic.size() + i]) << 8 * i;
    if (sum != checksum(body)) {
        problem = "its checksum is wrong";
        return {};
    }
    Values values;
    for (std::size_t i = 0; i < values.weights_.size(); ++i) {
        const auto number = static_cast<std::int16_t>(body[2 * i] | body[2 * i + 1] << 8);
        values.weights_[i] = static_cast<float>(number) / kScale;
    }
    return values;
}

Judge::Judge(const Values& values, const Display& d, const Land& land)
    : table_(d.cards < kRounds ? values.table(d.cards) : nullptr),
      land_(land),
      shape_(Values::kShape + (std::min(d.width, d.height) - 1) * kSide + std::max(d.width, d.height) - 1) {
    if (table_ == nullptr) return;
    for (int kind = 0; kind < 4; ++kind) {
        // A tower's view is wider than any territory's border.
        const int halves = kind == static_cast<int>(Landscape::rock);
        for (Word left = land.of_kind[at(kind)]; left != 0;) {
            const int number = pop(left);
            const int points = std::min<int>(land.points[at(number)], Values::kPoints - 1);
            const int open = std::min(land.open[at(number)] >> halves, Values::kOpen - 1);
            entry_[at(number)] = static_cast<std::uint16_t>((kind * Values::kPoints + points) * Values::kOpen + open);
            if (points > 0) at_least_[std::min(points, kLanes) - 1] |= bit(number);
        }
    }
    for (int i = kLanes - 2; i >= 0; --i) at_least_[i] |= at_least_[i + 1];
}

// The points of the best territory without a worker beside the given one, at most 8.
int Judge::best_beside(Word adjacent, Word free) const {
    return std::bit_width(occupied(at_least_ & (adjacent & free)));
}

// Lane k: the territories whose worker scores at most k, or who has company.
Lanes Judge::lows(const Crew& crew) const {
    Word company = 0;
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        if (crew.number[at(number)] > 1) company |= bit(number);
    }
    return (~at_least_ & crew.standing) | company;
}

// How well a worker beside a free territory could be spared for it.
int Judge::spared(int number, const Lanes& lows, Word standing) const {
    const Word adjacent = land_.adjacent[at(number)];
    if ((adjacent & standing) == 0) return 0;
    const unsigned found = occupied(lows & adjacent);
    const int lowest = found == 0 ? kLanes : std::countr_zero(found);
    const int gain = land_.points[at(number)] - lowest;
    return gain <= 0 ? 1 : gain <= 2 ? 2 : 3;
}

int Judge::low_workers(const Crew& crew) const {
    const Word poor = ~at_least_[2] & crew.standing;
    return std::min(count(poor), Values::kLow - 1);
}

float Judge::value(const Crew& crew, int supply, std::vector<int>* indices) const {
    float sum = 0;
    const Word free = land_.alive & ~crew.standing;
    if (table_ == nullptr) {
        for (Word left = crew.standing; left != 0;) sum += land_.points[at(pop(left))];
        return sum;
    }
    const auto add = [&](int index) {
        sum += table_[index];
        if (indices != nullptr) indices->push_back(index);
    };
    for (Word left = crew.standing; left != 0;) {
        const int number = pop(left);
        const int best = best_beside(land_.adjacent[at(number)], free);
        const int gain = std::clamp(best - land_.points[at(number)], 0, Values::kGain - 1);
        add(Values::kTaken + entry(number) * Values::kGain + gain);
        for (int more = 1; more < crew.number[at(number)]; ++more) add(Values::kSecond + best);
    }
    const Lanes low = lows(crew);
    for (Word left = free; left != 0;) {
        const int number = pop(left);
        add(Values::kFree + entry(number) * Values::kSpared + spared(number, low, crew.standing));
    }
    add(Values::kSupply + supply * Values::kLow + low_workers(crew));
    add(shape_);
    return sum;
}

void Judge::prepare(const Crew& crew, int supply) {
    now_ = 0;
    if (table_ == nullptr) {
        for (Word left = land_.alive; left != 0;) {
            const int number = pop(left);
            const auto points = static_cast<float>(land_.points[at(number)]);
            const bool taken = has(crew.standing, number);
            come_[at(number)] = taken ? 0 : points;
            if (taken) {
                now_ += points;
                go_[at(number)] = crew.number[at(number)] > 1 ? 0 : -points;
            }
        }
        return;
    }
    const Word free = land_.alive & ~crew.standing;
    const Lanes low = lows(crew);
    for (Word left = land_.alive; left != 0;) {
        const int number = pop(left);
        const bool taken = has(crew.standing, number);
        const int best = best_beside(land_.adjacent[at(number)], free);
        const int gain = std::clamp(best - land_.points[at(number)], 0, Values::kGain - 1);
        const float worth = table_[Values::kTaken + entry(number) * Values::kGain + gain];
        const float alone =
            table_[Values::kFree + entry(number) * Values::kSpared + spared(number, low, crew.standing)];
        const float second = table_[Values::kSecond + best];
        if (taken) {
            const int company = crew.number[at(number)] - 1;
            now_ += worth + static_cast<float>(company) * second;
            come_[at(number)] = second;
            go_[at(number)] = company > 0 ? -second : alone - worth;
        } else {
            now_ += alone;
            come_[at(number)] = worth - alone;
        }
    }
    const int lows = low_workers(crew);
    now_ += table_[Values::kSupply + supply * Values::kLow + lows] + table_[shape_];
    if (supply > 0) {
        place_ = table_[Values::kSupply + (supply - 1) * Values::kLow + lows] -
                 table_[Values::kSupply + supply * Values::kLow + lows];
    }
}

}  // namespace limina::limes
