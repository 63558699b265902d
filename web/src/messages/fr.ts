import limes from "./limes.fr.json";
import limit from "./limit.fr.json";
import page from "./page.fr.json";

export default { ...page, ...limes, ...limit };
