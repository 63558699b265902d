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

using Word = std::uint64_t;

// An index as the standard containers count.
inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

// How many members each byte of the set has, one number a byte.
inline Word byte_counts(Word set) {
    set -= (set >> 1) & 0x5555555555555555;
    set = (set & 0x3333333333333333) + ((set >> 2) & 0x3333333333333333);
    return (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

inline int count(Word set) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    return static_cast<int>((byte_counts(set) * 0x0101010101010101) >> 56);
#else
    return std::popcount(set);
#endif
}
inline int first(Word set) { return std::countr_zero(set); }
inline Word lowest(Word set) { return set & (0 - set); }
inline Word bit(int index) { return Word{1} << index; }
inline bool has(Word set, int index) { return (set >> index) & 1; }

// Takes the lowest member out of the set and returns its index.
inline int pop(Word& set) {
    const int index = first(set);
    set &= set - 1;
    return index;
}

// The members of `word` that lie in `mask`, packed to the low end.
inline Word gather(Word word, Word mask) {
#if defined(__BMI2__)
    return _pext_u64(word, mask);
#else
    Word packed = 0;
    for (Word next = 1; mask != 0; mask &= mask - 1, next <<= 1) {
        if ((word & lowest(mask)) != 0) packed |= next;
    }
    return packed;
#endif
}

// The reverse: the low end of `word`, spread over the members of `mask`.
inline Word scatter(Word word, Word mask) {
#if defined(__BMI2__)
    return _pdep_u64(word, mask);
#else
    Word spread = 0;
    for (; mask != 0; mask &= mask - 1, word >>= 1) {
        if ((word & 1) != 0) spread |= lowest(mask);
    }
    return spread;
#endif
}

// The n-th member of the set (from 0), as a set of one; nothing where there are not so many.
inline Word nth(Word set, unsigned n) {
#if defined(__BMI2__)
    return _pdep_u64(Word{1} << n, set);
#else
    // The byte that holds it is the first one whose members, with those of the bytes before, are more than n.
    constexpr Word kOnes = 0x0101010101010101;
    const Word sums = byte_counts(set) * kOnes;
    const int byte = count((((n & 127) * kOnes | kOnes << 7) - sums) & kOnes << 7);
    if (byte == 8) return 0;
    n -= static_cast<unsigned>(((sums << 8) >> 8 * byte) & 255);
    set = set >> 8 * byte << 8 * byte;
    while (n-- > 0) set &= set - 1;
    return lowest(set);
#endif
}

// wyrand: one multiplication a number, good enough for play and not for secrets (those never come from here).
class Rng {
  public:
    explicit Rng(Word seed) : state_(mix(seed)) {}

    Word next() {
        state_ += 0xa0761d6478bd642fULL;
        const auto product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
        return static_cast<Word>(product >> 64) ^ static_cast<Word>(product);
    }

    // A number below n. The bias is below n / 2^32 and so below anything that a game could show.
    unsigned below(unsigned n) {
        return static_cast<unsigned>((static_cast<Word>(static_cast<std::uint32_t>(next())) * n) >> 32);
    }

    // A number in [0, 1).
    double fraction() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    static Word mix(Word z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    Word state_;
};

inline Word pick(Word set, Rng& rng) { return nth(set, rng.below(static_cast<unsigned>(count(set)))); }

}  // namespace limina
