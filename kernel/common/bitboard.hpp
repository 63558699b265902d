// Bitboards: sets of up to 64 elements as the bits of a 64-bit integer. And a fast random number generator.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace limina {

using Bitboard = std::uint64_t;

// Returns the number of elements in each byte of the set, as the bytes of the result.
inline Bitboard popcount_per_byte(Bitboard set) {
    set -= (set >> 1) & 0x5555555555555555;
    set = (set & 0x3333333333333333) + ((set >> 2) & 0x3333333333333333);
    return (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

inline int popcount(Bitboard set) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    return static_cast<int>((popcount_per_byte(set) * 0x0101010101010101) >> 56);
#else
    return std::popcount(set);
#endif
}
inline int lsb(Bitboard set) { return std::countr_zero(set); }
inline Bitboard isolate_lsb(Bitboard set) { return set & (0 - set); }
inline Bitboard bit_at(int index) { return Bitboard{1} << index; }
inline bool contains(Bitboard set, int index) { return (set >> index) & 1; }

// Removes the lowest element from the set and returns its index.
inline int pop_lsb(Bitboard& set) {
    const int index = lsb(set);
    set &= set - 1;
    return index;
}

// Returns the bits of `bits` at the positions in `mask`, packed to the low end.
inline Bitboard pext(Bitboard bits, Bitboard mask) {
#if defined(__BMI2__)
    return _pext_u64(bits, mask);
#else
    Bitboard packed = 0;
    for (Bitboard next = 1; mask != 0; mask &= mask - 1, next <<= 1) {
        if ((bits & isolate_lsb(mask)) != 0) packed |= next;
    }
    return packed;
#endif
}

// The inverse of pext: returns the low bits of `bits`, spread to the positions in `mask`.
inline Bitboard pdep(Bitboard bits, Bitboard mask) {
#if defined(__BMI2__)
    return _pdep_u64(bits, mask);
#else
    Bitboard spread = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1) {
        if ((bits & 1) != 0) spread |= isolate_lsb(mask);
    }
    return spread;
#endif
}

// Returns the n-th element of the set (from 0) as a set, or the empty set if there are not so many.
inline Bitboard nth_bit(Bitboard set, unsigned n) {
#if defined(__BMI2__)
    return _pdep_u64(Bitboard{1} << n, set);
#else
    // Byte i of `sums` counts the elements in the bytes 0 to i. The element is in the first byte where it exceeds n.
    constexpr Bitboard kOnes = 0x0101010101010101;
    const Bitboard sums = popcount_per_byte(set) * kOnes;
    const int byte = popcount((((n & 127) * kOnes | kOnes << 7) - sums) & kOnes << 7);
    if (byte == 8) return 0;
    n -= static_cast<unsigned>(((sums << 8) >> 8 * byte) & 255);
    set = set >> 8 * byte << 8 * byte;
    while (n-- > 0) set &= set - 1;
    return isolate_lsb(set);
#endif
}

// The generator wyrand: one multiplication for each number. Not for secrets.
class Rng {
  public:
    explicit Rng(std::uint64_t seed) : state_(splitmix64(seed)) {}

    std::uint64_t next() {
        state_ += 0xa0761d6478bd642fULL;
        const auto product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
        return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
    }

    // Returns a number below n. The bias is below n / 2^32.
    unsigned below(unsigned n) {
        return static_cast<unsigned>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(next())) * n) >> 32);
    }

    // Returns a number in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    static std::uint64_t splitmix64(std::uint64_t z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

inline Bitboard random_bit(Bitboard set, Rng& rng) {
    return nth_bit(set, rng.below(static_cast<unsigned>(popcount(set))));
}

}  // namespace limina
