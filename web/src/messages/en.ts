import companion from "./companion.en.json";
import decks from "./decks.en.json";
import learn from "./learn.en.json";
import limes from "./limes.en.json";
import limit from "./limit.en.json";
import page from "./page.en.json";
import plain from "./plain.en.json";
import replay from "./replay.en.json";
import review from "./review.en.json";
import rules from "./rules.en.json";

export default { ...page, ...companion, ...decks, ...learn, ...limes, ...limit, ...plain, ...replay, ...review, ...rules };
