// Sequential halving: all turns are played on over the same orders of the unseen cards, and the worse half of them is
// dropped again and again, so that most of the work goes to those that are hard to tell apart.
#pragma once

#include "limes/deal_samples.hpp"
#include "limes/portable/search.hpp"

namespace limina::limes {

class SequentialHalving {
  public:
    // Between the first `contenders` candidates of the report; those of the rivals who could still win are played on as
    // well.
    SequentialHalving(const Weights& weights, const InformationSet& info, const SearchOptions& options,
                      std::uint64_t seed, std::size_t contenders, SearchResult& result);

    int stages() const { return stages_; }
    // One stage: its part of the rollouts, then the worse half is dropped.
    void run_stage(int stage, const Deadline& deadline);
    // Tells the candidates what was found and puts them into order.
    void finish();

  private:
    struct Means {
        double points, win_probability;
    };
    // How often to win, or what to score, a turn has been seen with.
    struct Tally {
        Display display;
        double points = 0, win_probability_sum = 0;
        std::vector<Means> means_by_stage{};  // each stage that it was part of
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
    int samples_done_ = 0;  // orders that all turns still in the running have met
    std::vector<Display> opponents_;
    std::vector<float> best_opponent_points_;  // what the best rival reaches with each order
    std::vector<Tally> tallies_;
    std::vector<std::size_t> remaining_;  // the candidates not dropped yet, best first
};

}  // namespace limina::limes
