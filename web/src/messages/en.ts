import limes from "./limes.en.json";
import limit from "./limit.en.json";
import page from "./page.en.json";

export default { ...page, ...limes, ...limit };
