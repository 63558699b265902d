#include "limes/portable/weights.hpp"

#include <algorithm>
#include <cmath>

namespace limina::limes {

namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {'l', 'i', 'm', 'e', 's', 'v', '0', '4'};
constexpr int kSum = 4;  // bytes of the checksum

// Weights are kept as whole numbers of this fineness; those of the network are small.
float fineness(int index) { return index < Values::kTables ? 2048 : 256; }

std::uint32_t checksum(std::span<const std::uint8_t> bytes) {  // FNV-1a
    std::uint32_t sum = 2166136261U;
    for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 16777619U;
    return sum;
}

}  // namespace

Values::Values() : chunks_(at((kSize + kHidden - 1) / kHidden)) {
    const std::span<float> weights = this->weights();
    // A worker is thought to score what he scores now.
    for (int cards = 1; cards < kRounds; ++cards) {
        for (int i = 0; i < entry::kFree; ++i) {
            const int points = i / entry::kGain / entry::kOpen % entry::kPoints;
            weights[at(table(cards) + i)] = static_cast<float>(points);
        }
    }
}

std::vector<std::uint8_t> Values::write() const {
    std::vector<std::uint8_t> body;
    for (int i = 0; i < kSize; ++i) {
        const float number = std::round(weights()[at(i)] * fineness(i));
        const auto whole = static_cast<std::int16_t>(std::clamp(number, -32767.0F, 32767.0F));
        body.push_back(static_cast<std::uint8_t>(whole & 255));
        body.push_back(static_cast<std::uint8_t>((whole >> 8) & 255));
    }
    std::vector<std::uint8_t> file(kMagic.begin(), kMagic.end());
    const std::uint32_t sum = checksum(body);
    for (int byte = 0; byte < kSum; ++byte) file.push_back(static_cast<std::uint8_t>(sum >> 8 * byte));
    file.insert(file.end(), body.begin(), body.end());
    return file;
}

std::optional<Values> Values::read(std::span<const std::uint8_t> file, std::string& problem) {
    if (file.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), file.begin())) {
        problem = "it does not hold values of this version";
        return {};
    }
    if (file.size() != kMagic.size() + kSum + 2 * at(kSize)) {
        problem = "it has the wrong size";
        return {};
    }
    const auto body = file.subspan(kMagic.size() + kSum);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kSum; ++i) sum |= static_cast<std::uint32_t>(file[kMagic.size() + i]) << 8 * i;
    if (sum != checksum(body)) {
        problem = "its checksum is wrong";
        return {};
    }
    Values values;
    for (int i = 0; i < kSize; ++i) {
        const auto whole = static_cast<std::int16_t>(body[2 * at(i)] | body[2 * at(i) + 1] << 8);
        values.weights()[at(i)] = static_cast<float>(whole) / fineness(i);
    }
    return values;
}

}  // namespace limina::limes
