/** The symbols of the Python package's drawings. They are inserted into the page once, with the prefix `limes-`. */
import sheet from "$art/limes/art/limes.svg?raw";

const ID = "limes-symbols";

export function insertSymbols(): void {
  if (document.getElementById(ID)) return;
  // A <g> keeps the symbol's origin, which is the foot of the object; a <symbol> would need a viewport.
  const groups = sheet
    .replace(/<symbol id="([^"]+)"[^>]*>/g, '<g id="$1">')
    .replaceAll("</symbol>", "</g>")
    .replace(/ id="([^"]+)"/g, ' id="limes-$1"')
    .replace(/href="#([^"]+)"/g, 'href="#limes-$1"')
    .replace(/<!--[^]*?-->/g, "")
    .replace("<svg ", `<svg id="${ID}" class="visually-hidden" aria-hidden="true" `);
  document.body.insertAdjacentHTML("beforeend", groups);
}
