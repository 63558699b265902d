/** True on touch devices, where the page shows no keys and writes "tap" instead of "click". */
import { MediaQuery } from "svelte/reactivity";

export const touchInput = new MediaQuery("hover: none");
