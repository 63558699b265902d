/** Types of the API that belong to Limit. */
import type { Schemas } from "$lib/api";

export type LimitView = Schemas["LimitView"];
export type LimitLegal = Schemas["LimitLegal"];
export type LimitPreview = Schemas["LimitPreview"];
export type LimitRemoval = Schemas["LimitRemoval"];
export type LimitCompanionState = Schemas["LimitCompanionState"];
export type LimitGroup = Schemas["LimitGroup"];
