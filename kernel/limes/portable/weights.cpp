#include "limes/portable/weights.hpp"

#include <algorithm>
#include <cmath>

namespace limina::limes {

namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {'l', 'i', 'm', 'e', 's', 'v', '0', '4'};
constexpr int kChecksumBytes = 4;

// Returns the quantization steps for 1.0. Weights of the network are smaller and need finer steps.
float quantization_steps(int index) { return index < Weights::kTables ? 2048 : 256; }

std::uint32_t checksum(std::span<const std::uint8_t> bytes) {  // FNV-1a
    std::uint32_t sum = 2166136261U;
    for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 16777619U;
    return sum;
}

}  // namespace

Weights::Weights() : storage_((kSize + kHiddenSize - 1) / kHiddenSize) {
    const std::span<float> floats = this->floats();
    // A worker is expected to score their present points.
    for (int cards = 1; cards < kRounds; ++cards) {
        for (int i = 0; i < feature::kFree; ++i) {
            const int points = i / feature::kGainBuckets / feature::kOpenBuckets % feature::kPointBuckets;
            floats[table_offset(cards) + i] = static_cast<float>(points);
        }
    }
}

std::vector<std::uint8_t> Weights::to_bytes() const {
    std::vector<std::uint8_t> body;
    for (int i = 0; i < kSize; ++i) {
        const float number = std::round(floats()[i] * quantization_steps(i));
        const auto quantized = static_cast<std::int16_t>(std::clamp(number, -32767.0F, 32767.0F));
        body.push_back(static_cast<std::uint8_t>(quantized & 255));
        body.push_back(static_cast<std::uint8_t>((quantized >> 8) & 255));
    }
    std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
    const std::uint32_t sum = checksum(body);
    for (int byte = 0; byte < kChecksumBytes; ++byte) bytes.push_back(static_cast<std::uint8_t>(sum >> 8 * byte));
    bytes.insert(bytes.end(), body.begin(), body.end());
    return bytes;
}

std::optional<Weights> Weights::from_bytes(std::span<const std::uint8_t> bytes, std::string& error) {
    if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
        error = "it does not hold weights of this version";
        return {};
    }
    if (bytes.size() != kMagic.size() + kChecksumBytes + 2 * kSize) {
        error = "it has the wrong size";
        return {};
    }
    const auto body = bytes.subspan(kMagic.size() + kChecksumBytes);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kChecksumBytes; ++i)
        sum |= static_cast<std::uint32_t>(bytes[kMagic.size() + i]) << 8 * i;
    if (sum != checksum(body)) {
        error = "its checksum is wrong";
        return {};
    }
    Weights weights;
    for (int i = 0; i < kSize; ++i) {
        const auto quantized = static_cast<std::int16_t>(body[2 * i] | body[2 * i + 1] << 8);
        weights.floats()[i] = static_cast<float>(quantized) / quantization_steps(i);
    }
    return weights;
}

}  // namespace limina::limes
