/**
 * What the Python package's art/landscape.json says about every drawing of Limes: measures and layers.
 *
 * A layer is a shape by its name with the attributes it is drawn with; a layer with `layers` of its own is a group.
 * Colors are names of custom properties.
 */
import ART from "$art/limes/art/landscape.json";

export { ART };
/** Length of a zone's side in the units of every drawing. */
export const SIDE = ART.side;
export const CARD = 2 * SIDE;

export type Style = Readonly<Record<string, unknown>>;
/** Path data by the names of the shapes. */
export type Shapes = Readonly<Record<string, string>>;

const COLORED = new Set(["fill", "stroke"]);

/** The nearest whole number; halves go up, as they do in Python. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/** With at most one decimal, as short as possible. */
export function number(value: number): string {
  return String(Math.floor(value * 10 + 0.5) / 10);
}

/** An element with a style as its attributes. */
export function tag(name: string, style: Style, inside = ""): string {
  let written = "";
  for (const [key, value] of Object.entries(style))
    written += ` ${key}="${COLORED.has(key) && value !== "none" ? `var(--${value})` : value}"`;
  return `<${name}${written}${inside ? `>${inside}</${name}>` : "/>"}`;
}

/** Shapes one above the other. */
export function drawLayers(drawn: readonly Style[], shapes: Shapes): string {
  return drawn
    .map(({ shape, layers: inner, ...style }) =>
      inner ? tag("g", style, drawLayers(inner as Style[], shapes)) : tag("path", { d: shapes[shape as string], ...style }),
    )
    .join("");
}
