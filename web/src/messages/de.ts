import limes from "./limes.de.json";
import limit from "./limit.de.json";
import page from "./page.de.json";

export default { ...page, ...limes, ...limit };
