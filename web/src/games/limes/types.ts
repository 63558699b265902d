/** Types of the API that belong to Limes. */
import type { Schemas } from "$lib/api";

export type LimesView = Schemas["LimesView"];
export type LimesLegal = Schemas["LimesLegal"];
export type LimesPreview = Schemas["LimesPreview"];
export type LimesDisplay = Schemas["LimesDisplay"];
export type LimesWorker = Schemas["LimesWorker"];
export type LimesCompanionState = Schemas["LimesCompanionState"];
