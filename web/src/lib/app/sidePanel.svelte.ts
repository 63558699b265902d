/** The side panel of a match or a lesson: the legend of the game, and its rules at the section for the current step. */

interface SidePanelContext {
  game: string;
  hasLegend: boolean;
}

let context = $state.raw<SidePanelContext | null>(null);
let rulesSectionId = $state<string | null>(null);
let openView = $state<"legend" | "rules" | null>(null);

/** Return the game whose board is on the page, or null. */
export function sidePanelContext(): SidePanelContext | null {
  return context;
}

/** Offer the side panel; the returned function withdraws it. Called by pages that show a board. */
export function enableSidePanel(newContext: SidePanelContext): () => void {
  context = newContext;
  return () => {
    context = openView = rulesSectionId = null;
  };
}

/** Set the section of the rules for the current step of the turn. Called by boards. */
export function setRulesSection(sectionId: string): void {
  rulesSectionId = sectionId;
}

export function rulesSection(): string | null {
  return rulesSectionId;
}

/** Return the open view of the side panel, or null. */
export function sidePanelView(): "legend" | "rules" | null {
  return openView;
}

export function setSidePanelView(view: "legend" | "rules" | null): void {
  openView = context ? view : null;
}
