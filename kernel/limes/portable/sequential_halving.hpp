// Sequential halving: all turns are played on over the same orders of the unseen cards, and the worse half of them is
// dropped again and again, so that most of the work goes to those that are hard to tell apart.
#pragma once

#include "limes/deal_samples.hpp"
#include "limes/portable/search.hpp"

namespace limina::limes {

class SequentialHalving {
  public:
    // Between the first `alive` candidates of the report; those of the rivals who could still win are played on as
    // well.
    SequentialHalving(const Values& values, const InformationSet& info, const SearchOptions& options, Word seed,
                      std::size_t alive, Report& report);

    int stages() const { return stages_; }
    // One stage: its part of the rollouts, then the worse half is dropped.
    void stage(int number, const Deadline& deadline);
    // Tells the candidates what was found and puts them into order.
    void finish();

  private:
    struct Means {
        double points, chance;
    };
    // How often to win, or what to score, a turn has been seen with.
    struct Tally {
        Display display;
        double points = 0, chances = 0;
        std::vector<Means> after{};  // each stage that it was part of
    };

    void roll_out_rivals(int until, const Deadline& deadline);
    void roll_out(int until, const Deadline& deadline);
    double mean(std::size_t candidate) const;

    const Values& values_;
    const InformationSet& info_;
    const SearchOptions& options_;
    Report& report_;
    int turns_left_, stages_ = 1;
    Orders orders_;
    int orders_done_ = 0;  // orders that all turns still in the running have met
    std::vector<Display> rivals_;
    std::vector<float> rival_points_;  // what the best rival reaches with each order
    std::vector<Tally> tallies_;
    std::vector<std::size_t> running_;  // the candidates not dropped yet, best first
};

}  // namespace limina::limes
