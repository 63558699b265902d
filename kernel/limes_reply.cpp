#include "limes_reply.hpp"

#include "limes_orders.hpp"
#include "limes_search.hpp"

namespace limina::limes {

double reply_worth(const Values& values, const Display& d, std::span<const Card> deck, int card_number,
                   std::uint32_t unseen, int replies, int rollouts, Word seed, std::uint64_t& work) {
    const Card& card = deck[static_cast<std::size_t>(card_number)];
    const int turns_left = kRounds - d.cards - 1;
    if (turns_left == 0) {
        ++work;
        return greedy(values, d, card).value;
    }
    struct Reply {
        Display display;
        double sum = 0;
        int met = 0;
    };
    std::vector<Reply> list;
    for (const Choice& choice : best_choices(values, d, card, static_cast<std::size_t>(replies))) {
        list.push_back({played(d, card, choice)});
    }
    const Orders orders(unseen, turns_left, seed);
    int done = 0;
    for (const int wanted : {rollouts, 2 * rollouts}) {
        const int until = std::min(done + wanted, orders.limit());
        for (; done < until; ++done) {
            const Order order = orders[done];
            for (Reply& reply : list) {
                reply.sum += rollout(values, reply.display, deck, order, kRounds);
                ++reply.met;
                ++work;
            }
        }
        std::stable_sort(list.begin(), list.end(), [](const Reply& a, const Reply& b) { return a.sum > b.sum; });
        if (wanted == rollouts && until < orders.limit()) list.resize((list.size() + 1) / 2);
    }
    return list[0].sum / list[0].met;
}

}  // namespace limina::limes
