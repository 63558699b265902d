// Several words side by side, and what the rules need to treat them like one: every function here is there for a Word
// too, which is a single lane. How many lanes there are is the one difference between the paths that the kernel is
// built for (see CMakeLists.txt); what comes out is the same for each.
#pragma once

#include <bit>
#include <concepts>

#include "common/bitboard.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace limina {

namespace detail {
template <int N>
struct Vector;  // a size that depends on N would be forgotten by some compilers
template <>
struct Vector<1> {
    using Type = Word;
};
template <>
struct Vector<4> {
    using Type = Word __attribute__((vector_size(32)));
};
template <>
struct Vector<8> {
    using Type = Word __attribute__((vector_size(64)));
};
}  // namespace detail

template <int N>
using Words = typename detail::Vector<N>::Type;

// As many words as this path's registers hold.
#if defined(LIMINA_LANES)
inline constexpr int kLanes = LIMINA_LANES;
#elif defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX2__) || defined(__ARM_NEON)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 1;
#endif
using Lanes = Words<kLanes>;

template <class Set>
inline constexpr int kLanesOf = static_cast<int>(sizeof(Set) / sizeof(Word));
template <class Set>
concept Vectors = !std::same_as<Set, Word> && sizeof(Set) >= 2 * sizeof(Word);

inline Word lane(Word set, int) { return set; }
template <Vectors Set>
Word lane(const Set& sets, int i) {
    return sets[i];
}
inline void set_lane(Word& set, int, Word value) { set = value; }
template <Vectors Set>
void set_lane(Set& sets, int i, Word value) {
    sets[i] = value;
}

// The sets that make(i) gives for each lane i.
template <class Set, class Make>
inline Set each_lane(Make make) {
    if constexpr (kLanesOf<Set> == 1) {
        return make(0);
    } else if constexpr (kLanesOf<Set> == 4) {
        return Set{make(0), make(1), make(2), make(3)};  // braces keep the order of the calls
    } else {
        return Set{make(0), make(1), make(2), make(3), make(4), make(5), make(6), make(7)};
    }
}

// The same set in every lane.
template <class Set>
inline Set everywhere(Word set) {
    return Set{} + set;
}

inline bool none(Word set) { return set == 0; }
template <Vectors Set>
inline bool none(const Set& sets) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return _mm512_test_epi64_mask(std::bit_cast<__m512i>(sets), std::bit_cast<__m512i>(sets)) == 0;
    }
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        return _mm256_testz_si256(std::bit_cast<__m256i>(sets), std::bit_cast<__m256i>(sets)) != 0;
    }
#endif
    Word any = 0;
    for (int i = 0; i < kLanesOf<Set>; ++i) any |= sets[i];
    return any == 0;
}

template <class Set>
inline bool same(const Set& a, const Set& b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return _mm512_cmpneq_epi64_mask(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)) == 0;
    }
#endif
    return none(a ^ b);
}

// All ones where the set has members, nothing where it is empty.
inline Word filled(Word set) { return set != 0 ? ~Word{0} : 0; }
template <Vectors Set>
inline Set filled(const Set& sets) {
    return std::bit_cast<Set>(sets != Set{});
}

// All ones where a is below b.
inline Word below(Word a, Word b) { return a < b ? ~Word{0} : 0; }
template <Vectors Set>
inline Set below(const Set& a, const Set& b) {
    return std::bit_cast<Set>(a < b);
}

// Of each bit the one of a where `where` is set, of b elsewhere.
template <class Set>
inline Set choose(const Set& where, const Set& a, const Set& b) {
    return b ^ ((a ^ b) & where);
}

template <class Set>
inline Set smaller(const Set& a, const Set& b) {
    return a < b ? a : b;
}
template <class Set>
inline Set larger(const Set& a, const Set& b) {
    return a < b ? b : a;
}

// How many members each lane's set has.
inline Word counts(Word set) { return static_cast<Word>(count(set)); }
template <Vectors Set>
inline Set counts(const Set& sets) {
#if defined(__AVX512VPOPCNTDQ__)
    if constexpr (sizeof(Set) == 64) return std::bit_cast<Set>(_mm512_popcnt_epi64(std::bit_cast<__m512i>(sets)));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        const __m256i of_nibble =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m256i low = _mm256_set1_epi8(15), both = std::bit_cast<__m256i>(sets);
        const __m256i bytes =
            _mm256_add_epi8(_mm256_shuffle_epi8(of_nibble, _mm256_and_si256(both, low)),
                            _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(_mm256_srli_epi64(both, 4), low)));
        return std::bit_cast<Set>(_mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
#endif
    return each_lane<Set>([&](int i) { return static_cast<Word>(count(sets[i])); });
}

// The lanes that have members, as a set of lanes.
inline unsigned occupied(Word set) { return set != 0; }
template <Vectors Set>
inline unsigned occupied(const Set& sets) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return _mm512_test_epi64_mask(std::bit_cast<__m512i>(sets), std::bit_cast<__m512i>(sets));
    }
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(sets != Set{})));
    } else if constexpr (sizeof(Set) == 64) {
        const auto halves = std::bit_cast<std::array<Words<4>, 2>>(sets);
        return occupied(halves[0]) | occupied(halves[1]) << 4;
    }
#endif
    unsigned lanes = 0;
    for (int i = 0; i < kLanesOf<Set>; ++i) lanes |= unsigned{sets[i] != 0} << i;
    return lanes;
}

// Lane by lane the product of two numbers below 2^32.
inline Word products(Word a, Word b) { return a * b; }
template <Vectors Set>
inline Set products(const Set& a, const Set& b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return std::bit_cast<Set>(_mm512_mul_epu32(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)));
    }
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        return std::bit_cast<Set>(_mm256_mul_epu32(std::bit_cast<__m256i>(a), std::bit_cast<__m256i>(b)));
    }
#endif
    return a * b;
}

// Lane by lane an entry of the table.
template <class Set, std::size_t N>
inline Set look_up(const std::array<Word, N>& table, const Set& indices) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return std::bit_cast<Set>(_mm512_i64gather_epi64(std::bit_cast<__m512i>(indices), table.data(), sizeof(Word)));
    }
#endif
    return each_lane<Set>([&](int i) { return table[lane(indices, i)]; });
}

// The lowest members of a set, one a lane; lanes without a member are empty. Takes them out of the set.
template <class Set>
inline Set spread(Word& set) {
    return each_lane<Set>([&](int) {
        const Word member = lowest(set);
        set &= set - 1;
        return member;
    });
}

// The n-th member of each set (from 0); nothing where there are not so many.
template <class Set>
inline Set nths(const Set& sets, const Set& n) {
    return each_lane<Set>([&](int i) { return nth(lane(sets, i), static_cast<unsigned>(lane(n, i))); });
}

// Random numbers, xoroshiro128+ in each lane. A lane's numbers depend on what it was begun with and on how many it has
// drawn, and not on the other lanes: so a game is the same in whichever lane of however many it is played.
template <class Set>
class Dice {
  public:
    void begin(int lane, Word seed, Word number) {
        Rng rng(seed ^ Rng(number).next());
        set_lane(low_, lane, rng.next());
        set_lane(high_, lane, rng.next() | 1);  // never all zero
    }

    Set next() {
        const Set sum = low_ + high_;
        high_ ^= low_;
        low_ = (low_ << 24 | low_ >> 40) ^ high_ ^ high_ << 16;
        high_ = high_ << 37 | high_ >> 27;
        return sum;
    }

    // Draws only in some lanes; what the others get must not be used.
    Set next(const Set& where) {
        const Set low = low_, high = high_, sum = next();
        low_ = choose(where, low_, low);
        high_ = choose(where, high_, high);
        return sum;
    }

    // A generator for what one lane does alone.
    Rng single(int i) const { return Rng(lane(low_, i) ^ lane(high_, i)); }

  private:
    Set low_{}, high_{};
};

// A number below n (itself below 2^32) from the low or the high half of a random number.
template <class Set>
inline Set scaled_low(const Set& luck, const Set& n) {
    return products(luck & 0xffffffff, n) >> 32;
}
template <class Set>
inline Set scaled_high(const Set& luck, const Set& n) {
    return products(luck >> 32, n) >> 32;
}

}  // namespace limina
