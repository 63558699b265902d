// Sequential halving of the candidates of a search: in each stage the remaining candidates get rollouts with the same
// orders of the unseen cards, then the worse half is dropped. So most rollouts go to the candidates that are close.
#pragma once

#include "limes/deal_samples.hpp"
#include "limes/portable/search.hpp"

namespace limina::limes {

class SequentialHalving {
  public:
    // Compares the first `contenders` candidates of `result`. The opponents who can still win get rollouts as well.
    SequentialHalving(const Weights& weights, const InformationSet& info, const SearchOptions& options,
                      std::uint64_t seed, std::size_t contenders, SearchResult& result);

    int stages() const { return stages_; }
    // Runs the rollouts of a stage and drops the worse half.
    void run_stage(int stage, const Deadline& deadline);
    // Writes the estimates to the candidates and sorts them.
    void finish();

  private:
    struct Means {
        double points, win_probability;
    };
    // The sums over the rollouts of a candidate.
    struct Tally {
        Display display;
        double points = 0, win_probability_sum = 0;
        std::vector<Means> means_by_stage{};  // after each of its stages
    };

    void roll_out_opponents(int end_sample, const Deadline& deadline);
    void roll_out(int end_sample, const Deadline& deadline);
    double mean(std::size_t candidate) const;

    const Weights& weights_;
    const InformationSet& info_;
    const SearchOptions& options_;
    SearchResult& result_;
    int turns_left_, stages_ = 1;
    DealSamples samples_;
    int samples_done_ = 0;  // samples that all remaining candidates have used
    std::vector<Display> opponents_;
    std::vector<float> best_opponent_points_;  // by sample
    std::vector<Tally> tallies_;
    std::vector<std::size_t> remaining_;  // indices of candidates that are not dropped, best first
};

}  // namespace limina::limes
