/** What the server says of a game that has no table of its own. */
import type { Schemas } from "$lib/api";

export type PlainView = Schemas["PlainView"];
export type PlainLegal = Schemas["PlainLegal"];
export type PlainPreview = Schemas["PlainPreview"];
