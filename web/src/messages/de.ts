import companion from "./companion.de.json";
import decks from "./decks.de.json";
import learn from "./learn.de.json";
import limes from "./limes.de.json";
import limit from "./limit.de.json";
import page from "./page.de.json";
import plain from "./plain.de.json";
import replay from "./replay.de.json";
import review from "./review.de.json";
import rules from "./rules.de.json";

export default { ...page, ...companion, ...decks, ...learn, ...limes, ...limit, ...plain, ...replay, ...review, ...rules };
