/** What the server says of a game that has no table of its own. */
import type { Schemas } from "$lib/api";

export type GenericView = Schemas["PlainView"];
export type GenericLegal = Schemas["PlainLegal"];
export type GenericPreview = Schemas["PlainPreview"];
