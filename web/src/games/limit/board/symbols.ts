// The drawn symbols, the same files that the pictures of the Python package are made of. Their colors are custom
// properties, which limit.css gives values for each theme.

import marks from "$art/limit/art/marks.svg?raw";
import pawn from "$art/limit/art/pawn.svg?raw";
import signs from "$art/limit/art/signs.svg?raw";
import tile from "$art/limit/art/tile.svg?raw";

const SHEET = "limit-art";

/** Put the symbols into the page once, however many boards show them by `<use href="#limit-pawn">`. */
export function needArt(): void {
  if (document.getElementById(SHEET)) return;
  const symbols = [signs, tile, pawn, marks].map((file) => /<defs>([\s\S]*?)<\/defs>/.exec(file)?.[1] ?? "");
  const holder = document.createElement("div");
  holder.id = SHEET;
  holder.setAttribute("aria-hidden", "true");
  holder.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  holder.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"><defs>${symbols.join("")}</defs></svg>`;
  document.body.append(holder);
}
