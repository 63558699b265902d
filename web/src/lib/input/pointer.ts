/** Whether the page is used by fingers: then it shows no keys, and says "tap". */
import { MediaQuery } from "svelte/reactivity";

export const touchInput = new MediaQuery("hover: none");
