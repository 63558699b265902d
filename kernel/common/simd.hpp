// Several words side by side, and what the rules need to treat them like one: every function here is there for a
// Bitboard too, which is a single lane. How many lanes there are is the one difference between the paths that the
// kernel is built for (see CMakeLists.txt); what comes out is the same for each.
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
struct SimdType;  // a size that depends on N would be forgotten by some compilers
template <>
struct SimdType<1> {
    using type = Bitboard;
};
template <>
struct SimdType<4> {
    using type = Bitboard __attribute__((vector_size(32)));
};
template <>
struct SimdType<8> {
    using type = Bitboard __attribute__((vector_size(64)));
};
}  // namespace detail

template <int N>
using SimdU64 = typename detail::SimdType<N>::type;

// As many words as this path's registers hold.
#if defined(LIMINA_SIMD_LANES)
inline constexpr int kSimdLanes = LIMINA_SIMD_LANES;
#elif defined(__AVX512F__)
inline constexpr int kSimdLanes = 8;
#elif defined(__AVX2__) || defined(__ARM_NEON)
inline constexpr int kSimdLanes = 4;
#else
inline constexpr int kSimdLanes = 1;
#endif
using SimdBitboard = SimdU64<kSimdLanes>;

template <class Set>
inline constexpr int kLaneCount = static_cast<int>(sizeof(Set) / sizeof(Bitboard));
template <class Set>
concept MultiLane = !std::same_as<Set, Bitboard> && sizeof(Set) >= 2 * sizeof(Bitboard);

inline Bitboard get_lane(Bitboard set, int) { return set; }
template <MultiLane Set>
Bitboard get_lane(const Set& sets, int i) {
    return sets[i];
}
inline void set_lane(Bitboard& set, int, Bitboard value) { set = value; }
template <MultiLane Set>
void set_lane(Set& sets, int i, Bitboard value) {
    sets[i] = value;
}

// The sets that make(i) gives for each lane i.
template <class Set, class Make>
inline Set generate_lanes(Make value_of) {
    if constexpr (kLaneCount<Set> == 1) {
        return value_of(0);
    } else if constexpr (kLaneCount<Set> == 4) {
        return Set{value_of(0), value_of(1), value_of(2), value_of(3)};  // braces keep the order of the calls
    } else {
        return Set{value_of(0), value_of(1), value_of(2), value_of(3),
                   value_of(4), value_of(5), value_of(6), value_of(7)};
    }
}

// The same set in every lane.
template <class Set>
inline Set broadcast(Bitboard set) {
    return Set{} + set;
}

inline bool is_zero(Bitboard set) { return set == 0; }
template <MultiLane Set>
inline bool is_zero(const Set& sets) {
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
    Bitboard any = 0;
    for (int i = 0; i < kLaneCount<Set>; ++i) any |= sets[i];
    return any == 0;
}

template <class Set>
inline bool is_equal(const Set& a, const Set& b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return _mm512_cmpneq_epi64_mask(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)) == 0;
    }
#endif
    return is_zero(a ^ b);
}

// All ones where the set has members, nothing where it is empty.
inline Bitboard nonzero_mask(Bitboard set) { return set != 0 ? ~Bitboard{0} : 0; }
template <MultiLane Set>
inline Set nonzero_mask(const Set& sets) {
    return std::bit_cast<Set>(sets != Set{});
}

// All ones where a is below b.
inline Bitboard less_mask(Bitboard a, Bitboard b) { return a < b ? ~Bitboard{0} : 0; }
template <MultiLane Set>
inline Set less_mask(const Set& a, const Set& b) {
    return std::bit_cast<Set>(a < b);
}

// Of each bit the one of a where `where` is set, of b elsewhere.
template <class Set>
inline Set blend(const Set& where, const Set& a, const Set& b) {
    return b ^ ((a ^ b) & where);
}

template <class Set>
inline Set lane_min(const Set& a, const Set& b) {
    return a < b ? a : b;
}
template <class Set>
inline Set lane_max(const Set& a, const Set& b) {
    return a < b ? b : a;
}

// How many members each lane's set has.
inline Bitboard popcounts(Bitboard set) { return static_cast<std::uint64_t>(popcount(set)); }
template <MultiLane Set>
inline Set popcounts(const Set& sets) {
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
    return generate_lanes<Set>([&](int i) { return static_cast<std::uint64_t>(popcount(sets[i])); });
}

// The lanes that have members, as a set of lanes.
inline unsigned nonzero_lanes(Bitboard set) { return set != 0; }
template <MultiLane Set>
inline unsigned nonzero_lanes(const Set& sets) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return _mm512_test_epi64_mask(std::bit_cast<__m512i>(sets), std::bit_cast<__m512i>(sets));
    }
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(sets != Set{})));
    } else if constexpr (sizeof(Set) == 64) {
        const auto halves = std::bit_cast<std::array<SimdU64<4>, 2>>(sets);
        return nonzero_lanes(halves[0]) | nonzero_lanes(halves[1]) << 4;
    }
#endif
    unsigned lanes = 0;
    for (int i = 0; i < kLaneCount<Set>; ++i) lanes |= unsigned{sets[i] != 0} << i;
    return lanes;
}

// Lane by lane the product of two numbers below 2^32.
inline Bitboard multiply_u32(Bitboard a, Bitboard b) { return a * b; }
template <MultiLane Set>
inline Set multiply_u32(const Set& a, const Set& b) {
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
inline Set lookup_lanes(const std::array<Bitboard, N>& table, const Set& indices) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Set) == 64) {
        return std::bit_cast<Set>(
            _mm512_i64gather_epi64(std::bit_cast<__m512i>(indices), table.data(), sizeof(Bitboard)));
    }
#endif
    return generate_lanes<Set>([&](int i) { return table[get_lane(indices, i)]; });
}

// The lowest members of a set, one a lane; lanes without a member are empty. Takes them out of the set.
template <class Set>
inline Set pop_lsbs(Bitboard& set) {
    return generate_lanes<Set>([&](int) {
        const Bitboard member = isolate_lsb(set);
        set &= set - 1;
        return member;
    });
}

// The n-th member of each set (from 0); nothing where there are not so many.
template <class Set>
inline Set nth_bits(const Set& sets, const Set& n) {
    return generate_lanes<Set>(
        [&](int i) { return nth_bit(get_lane(sets, i), static_cast<unsigned>(get_lane(n, i))); });
}

// Random numbers, xoroshiro128+ in each lane. A lane's numbers depend on what it was begun with and on how many it has
// drawn, and not on the other lanes: so a game is the same in whichever lane of however many it is played.
template <class Set>
class SimdRng {
  public:
    void seed_lane(int lane, std::uint64_t seed, std::uint64_t stream) {
        Rng rng(seed ^ Rng(stream).next());
        set_lane(state_low_, lane, rng.next());
        set_lane(state_high_, lane, rng.next() | 1);  // never all zero
    }

    Set next() {
        const Set sum = state_low_ + state_high_;
        state_high_ ^= state_low_;
        state_low_ = (state_low_ << 24 | state_low_ >> 40) ^ state_high_ ^ state_high_ << 16;
        state_high_ = state_high_ << 37 | state_high_ >> 27;
        return sum;
    }

    // Draws only in some lanes; what the others get must not be used.
    Set next(const Set& where) {
        const Set low = state_low_, high = state_high_, sum = next();
        state_low_ = blend(where, state_low_, low);
        state_high_ = blend(where, state_high_, high);
        return sum;
    }

    // A generator for what one lane does alone.
    Rng lane_rng(int i) const { return Rng(get_lane(state_low_, i) ^ get_lane(state_high_, i)); }

  private:
    Set state_low_{}, state_high_{};
};

// A number below n (itself below 2^32) from the low or the high half of a random number.
template <class Set>
inline Set scale_low32(const Set& random, const Set& n) {
    return multiply_u32(random & 0xffffffff, n) >> 32;
}
template <class Set>
inline Set scale_high32(const Set& random, const Set& n) {
    return multiply_u32(random >> 32, n) >> 32;
}

}  // namespace limina
