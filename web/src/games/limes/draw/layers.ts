/**
 * Measures and layers of all drawings of Limes, from art/landscape.json of the Python package.
 *
 * A layer has the name of a shape and its SVG attributes. A layer with `layers` is a group. Colors are names of CSS
 * custom properties.
 */
import ART from "$art/limes/art/landscape.json";

export { ART };
/** Length of a zone's side in the units of the drawings. */
export const SIDE = ART.side;
export const CARD = 2 * SIDE;

export type Style = Readonly<Record<string, unknown>>;
/** SVG path data by the name of the shape. */
export type Shapes = Readonly<Record<string, string>>;

const COLORED = new Set(["fill", "stroke"]);

/** Round to an integer, halves up, as the Python package does. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/** Format a number with at most one decimal. */
export function number(value: number): string {
  return String(Math.floor(value * 10 + 0.5) / 10);
}

/** Return an element with the style as its attributes. */
export function tag(name: string, style: Style, inside = ""): string {
  let attributes = "";
  for (const [key, value] of Object.entries(style))
    attributes += ` ${key}="${COLORED.has(key) && value !== "none" ? `var(--${value})` : value}"`;
  return `<${name}${attributes}${inside ? `>${inside}</${name}>` : "/>"}`;
}

/** Draw the layers from bottom to top. */
export function drawLayers(layers: readonly Style[], shapes: Shapes): string {
  return layers
    .map(({ shape, layers: inner, ...style }) =>
      inner ? tag("g", style, drawLayers(inner as Style[], shapes)) : tag("path", { d: shapes[shape as string], ...style }),
    )
    .join("");
}
