// SIMD vectors of bitboards, a bitboard in each lane. Every function also takes a single Bitboard, as a vector of one
// lane, so the rules are written once. The ISAs differ in the number of lanes (see CMakeLists.txt); the results are the
// same.
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
struct SimdType;  // specialized: some compilers ignore a vector_size that depends on N
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

// Lanes of a register of this ISA.
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

// The number of lanes of a vector.
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

// Returns a vector with value_of(i) in lane i. Calls value_of in the order of the lanes.
template <class Set, class ValueOf>
inline Set generate_lanes(ValueOf value_of) {
    if constexpr (kLaneCount<Set> == 1) {
        return value_of(0);
    } else if constexpr (kLaneCount<Set> == 4) {
        return Set{value_of(0), value_of(1), value_of(2), value_of(3)};  // braces guarantee the order of the calls
    } else {
        return Set{value_of(0), value_of(1), value_of(2), value_of(3),
                   value_of(4), value_of(5), value_of(6), value_of(7)};
    }
}

// Returns a vector with the same set in every lane.
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

// Returns all ones in lanes with a set that is not empty, and zero in the others.
inline Bitboard nonzero_mask(Bitboard set) { return set != 0 ? ~Bitboard{0} : 0; }
template <MultiLane Set>
inline Set nonzero_mask(const Set& sets) {
    return std::bit_cast<Set>(sets != Set{});
}

// Returns all ones in lanes where a is less than b, and zero in the others.
inline Bitboard less_mask(Bitboard a, Bitboard b) { return a < b ? ~Bitboard{0} : 0; }
template <MultiLane Set>
inline Set less_mask(const Set& a, const Set& b) {
    return std::bit_cast<Set>(a < b);
}

// Returns the bits of a where `mask` is set, and those of b elsewhere.
template <class Set>
inline Set blend(const Set& mask, const Set& a, const Set& b) {
    return b ^ ((a ^ b) & mask);
}

template <class Set>
inline Set lane_min(const Set& a, const Set& b) {
    return a < b ? a : b;
}
template <class Set>
inline Set lane_max(const Set& a, const Set& b) {
    return a < b ? b : a;
}

// Returns the number of elements of the set in each lane.
inline Bitboard popcounts(Bitboard set) { return static_cast<std::uint64_t>(popcount(set)); }
template <MultiLane Set>
inline Set popcounts(const Set& sets) {
#if defined(__AVX512VPOPCNTDQ__)
    if constexpr (sizeof(Set) == 64) return std::bit_cast<Set>(_mm512_popcnt_epi64(std::bit_cast<__m512i>(sets)));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Set) == 32) {
        const __m256i nibble_counts =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m256i low_nibbles = _mm256_set1_epi8(15), bits = std::bit_cast<__m256i>(sets);
        const __m256i bytes = _mm256_add_epi8(
            _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(bits, low_nibbles)),
            _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(_mm256_srli_epi64(bits, 4), low_nibbles)));
        return std::bit_cast<Set>(_mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
#endif
    return generate_lanes<Set>([&](int i) { return static_cast<std::uint64_t>(popcount(sets[i])); });
}

// Returns the lanes with a set that is not empty, as a bit mask.
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

// Returns in each lane the entry of the lookup table at the lane's index.
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

// Removes the lowest elements from a set and returns one in each lane. Lanes beyond the last element are empty.
template <class Set>
inline Set pop_lsbs_into_lanes(Bitboard& set) {
    return generate_lanes<Set>([&](int) {
        const Bitboard element = isolate_lsb(set);
        set &= set - 1;
        return element;
    });
}

// Returns in each lane the n-th element of the set (from 0), or the empty set if there are not so many.
template <class Set>
inline Set nth_bits(const Set& sets, const Set& n) {
    return generate_lanes<Set>(
        [&](int i) { return nth_bit(get_lane(sets, i), static_cast<unsigned>(get_lane(n, i))); });
}

// A generator xoroshiro128+ in each lane. The numbers of a lane depend only on its seed and stream, not on the other
// lanes, so a game is the same in any lane and with any number of lanes.
template <class Set>
class SimdRng {
  public:
    void seed_lane(int lane, std::uint64_t seed, std::uint64_t stream) {
        Rng rng(seed ^ Rng(stream).next());
        set_lane(state_low_, lane, rng.next());
        set_lane(state_high_, lane, rng.next() | 1);  // the state must not be zero
    }

    Set next() {
        const Set sum = state_low_ + state_high_;
        state_high_ ^= state_low_;
        state_low_ = (state_low_ << 24 | state_low_ >> 40) ^ state_high_ ^ state_high_ << 16;
        state_high_ = state_high_ << 37 | state_high_ >> 27;
        return sum;
    }

    // Draws only in the lanes of the mask. The result in the other lanes must not be used.
    Set next(const Set& mask) {
        const Set low = state_low_, high = state_high_, sum = next();
        state_low_ = blend(mask, state_low_, low);
        state_high_ = blend(mask, state_high_, high);
        return sum;
    }

    // Returns a scalar generator that is seeded by the state of lane i.
    Rng lane_rng(int i) const { return Rng(get_lane(state_low_, i) ^ get_lane(state_high_, i)); }

  private:
    Set state_low_{}, state_high_{};
};

// Scales the low or the high 32 bits of a random number to a number below n, which must be below 2^32.
template <class Set>
inline Set scale_low32(const Set& random, const Set& n) {
    return multiply_u32(random & 0xffffffff, n) >> 32;
}
template <class Set>
inline Set scale_high32(const Set& random, const Set& n) {
    return multiply_u32(random >> 32, n) >> 32;
}

}  // namespace limina
