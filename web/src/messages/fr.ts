import companion from "./companion.fr.json";
import decks from "./decks.fr.json";
import learn from "./learn.fr.json";
import limes from "./limes.fr.json";
import limit from "./limit.fr.json";
import page from "./page.fr.json";
import plain from "./plain.fr.json";
import replay from "./replay.fr.json";
import review from "./review.fr.json";
import rules from "./rules.fr.json";

export default { ...page, ...companion, ...decks, ...learn, ...limes, ...limit, ...plain, ...replay, ...review, ...rules };
