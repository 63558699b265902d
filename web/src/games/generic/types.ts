/** Types of the API for games without an interface of their own. */
import type { Schemas } from "$lib/api";

export type GenericView = Schemas["GenericView"];
export type GenericLegal = Schemas["GenericLegal"];
export type GenericPreview = Schemas["GenericPreview"];
