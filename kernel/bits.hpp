// Sets of up to 64 things in one word: scans, picks, lanes of eight words, and a small random number generator.
// Nothing here knows a game.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace limina {

using Word = std::uint64_t;

// Eight words side by side. The compiler lowers it to whatever the machine has (one AVX-512 register at best).
using Lanes = Word __attribute__((vector_size(64)));
inline constexpr int kLanes = 8;

inline int count(Word set) { return std::popcount(set); }
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

// The n-th member of the set (from 0), as a set of one.
inline Word nth(Word set, unsigned n) {
#if defined(__BMI2__)
    return _pdep_u64(Word{1} << n, set);
#else
    while (n-- > 0) set &= set - 1;
    return lowest(set);
#endif
}

inline bool same(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    return _mm512_cmpneq_epi64_mask(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)) == 0;
#else
    Word difference = 0;
    for (int i = 0; i < kLanes; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
#endif
}

inline bool same(Word a, Word b) { return a == b; }

// How many members each lane's set has.
inline Lanes counts(const Lanes& lanes) {
#if defined(__AVX512VPOPCNTDQ__)
    return std::bit_cast<Lanes>(_mm512_popcnt_epi64(std::bit_cast<__m512i>(lanes)));
#else
    Lanes result;
    for (int i = 0; i < kLanes; ++i) result[i] = static_cast<Word>(count(lanes[i]));
    return result;
#endif
}

#if defined(__AVX512VBMI2__)
inline constexpr auto kBytes = [] {
    std::array<std::uint8_t, 64> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    return bytes;
}();
#endif

// The lowest eight members of a set, one a lane; lanes without a member are empty.
inline Lanes spread(Word set) {
#if defined(__AVX512VBMI2__)
    const __m512i indices = _mm512_maskz_compress_epi8(set, std::bit_cast<__m512i>(kBytes));
    const auto used = static_cast<__mmask8>((1U << std::min(count(set), kLanes)) - 1);
    return std::bit_cast<Lanes>(
        _mm512_maskz_sllv_epi64(used, _mm512_set1_epi64(1), _mm512_cvtepu8_epi64(_mm512_castsi512_si128(indices))));
#else
    const auto take = [&set] {
        const Word member = lowest(set);
        set &= set - 1;
        return member;
    };
    // Braces keep the order of the calls.
    return Lanes{take(), take(), take(), take(), take(), take(), take(), take()};
#endif
}

// Each lane's sum of itself and all lanes before it.
inline Lanes running_sums(Lanes lanes) {
    const Lanes zero{};
    lanes += __builtin_shufflevector(zero, lanes, 0, 8, 9, 10, 11, 12, 13, 14);
    lanes += __builtin_shufflevector(zero, lanes, 0, 0, 8, 9, 10, 11, 12, 13);
    lanes += __builtin_shufflevector(zero, lanes, 0, 0, 0, 0, 8, 9, 10, 11);
    return lanes;
}

// How many of ascending sums are at most n: the lane that holds the n-th member.
inline int lane_of(const Lanes& sums, Word n) {
#if defined(__AVX512F__)
    return std::popcount(static_cast<unsigned>(
        _mm512_cmple_epu64_mask(std::bit_cast<__m512i>(sums), _mm512_set1_epi64(static_cast<long long>(n)))));
#else
    int lane = 0;
    for (int i = 0; i < kLanes; ++i) lane += sums[i] <= n;
    return lane;
#endif
}

// All ones where the set has members, nothing where it is empty.
inline Word filled(Word set) { return set != 0 ? ~Word{0} : 0; }
inline Lanes filled(const Lanes& sets) { return std::bit_cast<Lanes>(sets != Lanes{}); }

inline bool none(Word set) { return set == 0; }
inline bool none(const Lanes& sets) { return same(sets, Lanes{}); }

// The lanes that have members, as a set.
inline unsigned occupied(const Lanes& sets) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(std::bit_cast<__m512i>(sets), std::bit_cast<__m512i>(sets));
#else
    unsigned lanes = 0;
    for (int i = 0; i < kLanes; ++i) lanes |= unsigned{sets[i] != 0} << i;
    return lanes;
#endif
}

// Lane by lane the product of two numbers below 2^32.
inline Lanes products(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(_mm512_mul_epu32(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)));
#else
    return a * b;
#endif
}

// Lane by lane an entry of the table.
template <std::size_t N>
Lanes look_up(const std::array<Word, N>& table, const Lanes& indices) {
#if defined(__AVX512F__)
    return std::bit_cast<Lanes>(_mm512_i64gather_epi64(std::bit_cast<__m512i>(indices), table.data(), sizeof(Word)));
#else
    Lanes entries{};
    for (int i = 0; i < kLanes; ++i) entries[i] = table[indices[i]];
    return entries;
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
