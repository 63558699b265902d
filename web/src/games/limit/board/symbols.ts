/** The symbols of the Python package's drawings. limit.css defines the custom properties of their colors. */

import marks from "$art/limit/art/marks.svg?raw";
import pawn from "$art/limit/art/pawn.svg?raw";
import signs from "$art/limit/art/signs.svg?raw";
import tile from "$art/limit/art/tile.svg?raw";

const ELEMENT_ID = "limit-art";

/** Insert the symbols into the page, unless another board has done so. Boards use them as `<use href="#limit-pawn">`. */
export function insertSymbols(): void {
  if (document.getElementById(ELEMENT_ID)) return;
  const symbols = [signs, tile, pawn, marks].map((file) => /<defs>([\s\S]*?)<\/defs>/.exec(file)?.[1] ?? "");
  const container = document.createElement("div");
  container.id = ELEMENT_ID;
  container.setAttribute("aria-hidden", "true");
  container.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  container.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"><defs>${symbols.join("")}</defs></svg>`;
  document.body.append(container);
}
