/** The symbols of the Python package's own drawing, put into the page once, under names that collide with nothing. */
import sheet from "$art/limes/art/limes.svg?raw";

const ID = "limes-symbols";

export function putSymbols(): void {
  if (document.getElementById(ID)) return;
  // A plain group keeps the symbol's own origin (the foot of a thing), so that it can be put down without a box.
  const groups = sheet
    .replace(/<symbol id="([^"]+)"[^>]*>/g, '<g id="$1">')
    .replaceAll("</symbol>", "</g>")
    .replace(/ id="([^"]+)"/g, ' id="limes-$1"')
    .replace(/href="#([^"]+)"/g, 'href="#limes-$1"')
    .replace(/<!--[^]*?-->/g, "")
    .replace("<svg ", `<svg id="${ID}" class="visually-hidden" aria-hidden="true" `);
  document.body.insertAdjacentHTML("beforeend", groups);
}
