// Sets of up to 64 things in one word: scans, picks, and a small random number generator. Nothing here knows a game.
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

// How many members each byte of the set has, one number a byte.
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

// Takes the lowest member out of the set and returns its index.
inline int pop_lsb(Bitboard& set) {
    const int index = lsb(set);
    set &= set - 1;
    return index;
}

// The members of `bits` that lie in `mask`, packed to the low end.
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

// The reverse: the low end of `bits`, spread over the members of `mask`.
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

// The n-th member of the set (from 0), as a set of one; nothing where there are not so many.
inline Bitboard nth_bit(Bitboard set, unsigned n) {
#if defined(__BMI2__)
    return _pdep_u64(Bitboard{1} << n, set);
#else
    // The byte that holds it is the first one whose members, with those of the bytes before, are more than n.
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

// wyrand: one multiplication a number, good enough for play and not for secrets (those never come from here).
class Rng {
  public:
    explicit Rng(std::uint64_t seed) : state_(splitmix64(seed)) {}

    Bitboard next() {
        state_ += 0xa0761d6478bd642fULL;
        const auto product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
        return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
    }

    // A number below n. The bias is below n / 2^32 and so below anything that a game could show.
    unsigned below(unsigned n) {
        return static_cast<unsigned>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(next())) * n) >> 32);
    }

    // A number in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    static Bitboard splitmix64(Bitboard z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    Bitboard state_;
};

inline Bitboard random_bit(Bitboard set, Rng& rng) {
    return nth_bit(set, rng.below(static_cast<unsigned>(popcount(set))));
}

}  // namespace limina
