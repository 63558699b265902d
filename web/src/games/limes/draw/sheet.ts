/** The sheet under a display: paper, ruled border, names of the cells, and frames where a card may be placed. */
import type { Bounds } from "./bounds";
import { ART, CARD, drawLayers, number, SIDE, tag, type Shapes } from "./layers";
import { pathPoint } from "./outline";
import { cellName, cellPosition } from "./zones";

const SERIF = { "font-family": "var(--serif)" };

/** Position, size and margin of a sheet. */
export interface Sheet {
  left: number;
  top: number;
  width: number;
  height: number;
  margin: number;
}

/** Return the sheet around the given cells. */
export function sheetAround({ column, row, columns, rows }: Bounds, kind: keyof typeof ART.sheet.margin): Sheet {
  const margin = ART.sheet.margin[kind];
  return {
    left: column * CARD - margin,
    top: row * CARD - margin,
    width: columns * CARD + 2 * margin,
    height: rows * CARD + 2 * margin,
    margin,
  };
}

/** Return the shapes of the ruled border, whose dark and light segments are as long as a zone. */
export function shapes(sheet: Sheet): Shapes {
  const { inset, band } = ART.sheet;
  const [left, right] = [sheet.left + inset, sheet.left + sheet.width - inset];
  const [top, bottom] = [sheet.top + inset, sheet.top + sheet.height - inset];
  const inner = rectangle(left + band, top + band, right - band, bottom - band);
  let ticks = "";
  for (let x = sheet.left + sheet.margin; x < sheet.left + sheet.width - sheet.margin; x += CARD)
    for (const level of [top + band / 2, bottom - band / 2]) ticks += `M${pathPoint(x, level)}h${SIDE}`;
  for (let y = sheet.top + sheet.margin; y < sheet.top + sheet.height - sheet.margin; y += CARD)
    for (const level of [left + band / 2, right - band / 2]) ticks += `M${pathPoint(level, y)}v${SIDE}`;
  return { rim: rectangle(left, top, right, bottom) + inner, ticks };
}

function rectangle(left: number, top: number, right: number, bottom: number): string {
  return `M${pathPoint(left, top)}H${number(right)}V${number(bottom)}H${number(left)}Z`;
}

/** Return the column letters and row numbers with their positions on the margin. */
export function labelPositions(sheet: Sheet): { text: string; x: number; y: number }[] {
  const { column, row, drop } = ART.sheet.labels;
  // A sheet may begin in the middle of a cell or outside the 7 x 7 grid; only whole cells inside the grid have names.
  const span = (start: number, length: number) => {
    const first = Math.max(0, Math.ceil((start + sheet.margin) / CARD));
    const last = Math.min(7, Math.floor((start + length - sheet.margin) / CARD));
    return Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  };
  return [
    ...span(sheet.left, sheet.width).map((i) => ({ text: cellName(i, 0)[0]!, x: i * CARD + SIDE, y: sheet.top + column })),
    ...span(sheet.top, sheet.height).map((i) => ({ text: String(i + 1), x: sheet.left + row, y: i * CARD + SIDE + drop })),
  ];
}

/** Draw the paper with its darker edge and its border; `id` is the id of the drawing in the page. */
export function drawPaper(sheet: Sheet, id: string): string {
  const { corner, shading, border } = ART.sheet;
  const { left, top, width, height } = sheet;
  const box = `x="${left}" y="${top}" width="${width}" height="${height}" rx="${corner}"`;
  return (
    `<radialGradient id="${id}edge" r="${shading.r}"><stop offset="${shading.from}" stop-color="var(--paper-edge)"` +
    ` stop-opacity="0"/><stop offset="1" stop-color="var(--paper-edge)"/></radialGradient>` +
    `<rect ${box} fill="var(--paper)"/><rect ${box} fill="url(#${id}edge)"/>` +
    drawLayers(border, shapes(sheet))
  );
}

/** Draw the names of the columns and rows on the margin. */
export function drawLabels(sheet: Sheet): string {
  const texts = labelPositions(sheet).map(({ text, x, y }) => tag("text", { x, y }, text));
  return tag("g", { ...SERIF, ...ART.sheet.labels.text }, texts.join(""));
}

/** Draw the frame of a cell where a card may be placed, with the cell's name. */
export function drawFrame(cell: string): string {
  const { inset, drop, rect, text } = ART.sheet.frame;
  const { column, row } = cellPosition(cell);
  const [x, y, side] = [column * CARD, row * CARD, CARD - 2 * inset];
  return (
    tag("rect", { x: x + inset, y: y + inset, width: side, height: side, ...rect }) +
    tag("text", { x: x + SIDE, y: y + SIDE + drop, ...SERIF, ...text }, cell)
  );
}
