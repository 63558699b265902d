/** Types of the API for games without an interface of their own. */
import type { Schemas } from "$lib/api";

export type GenericView = Schemas["PlainView"];
export type GenericLegal = Schemas["PlainLegal"];
export type GenericPreview = Schemas["PlainPreview"];
