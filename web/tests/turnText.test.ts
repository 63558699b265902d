import { beforeEach, describe, expect, test, vi } from "vitest";
import limes from "../src/games/limes/matchUi";
import { stepText } from "../src/games/limes/turnText";
import type { LimesDisplay, LimesView, LimesWorker } from "../src/games/limes/types";
import limit from "../src/games/limit/matchUi";
import { setLanguage, withMessages, type Language } from "../src/lib/i18n/messages.svelte";

/** Create a display from the faces on its cells and the zones of its workers. */
function display(cards: Record<string, string>, ...workers: string[]): LimesDisplay {
  const zones = Object.entries(cards).flatMap(([cell, face]) =>
    face.split(" ").map((zone, i) => [`${cell}.${["nw", "ne", "sw", "se"][i]}`, zone] as const),
  );
  return {
    zones: Object.fromEntries(zones),
    workers: workers.map((zone) => ({ zone }) as LimesWorker),
    total: 9,
  } as LimesDisplay;
}

const CARDS = { c3: "F F W W", d3: "F W W R", d4: "F T T T" };
/** Create a view of the display with a card in hand, which has the same face in all rotations. */
const viewOf = (display: LimesDisplay): LimesView =>
  ({ displays: [display], card: { number: 1, turnings: [0, 1, 2, 3].map(() => ["T", "T", "W", "T"]) } }) as unknown as LimesView;
const oneWorker = { player: 0, views: [viewOf(display(CARDS, "d4.se"))] };
const twoWorkers = { player: 0, views: [viewOf(display({ ...CARDS, e4: "T T T T" }, "e4.sw", "e4.se"))] };

async function loadLanguage(language: Language): Promise<void> {
  vi.stubGlobal("document", { documentElement: {} });
  await setLanguage(language);
  await withMessages(["limes", "limit", "match", "review"], () => Promise.resolve());
}

const LIMES: Record<Language, Record<string, string>> = {
  en: {
    move: "lay the card on c4, turned right, and move the woodcutter in the southeast to the neighboring field: +2",
    ambiguous: "lay the card on c4, turned right, and move the woodcutter in the southwest of e4 to the neighboring field",
    tower: "lay the card on c4, not turned, and move the woodcutter in the southeast to the neighboring tower",
    ferry: "lay the card on c4, not turned, and move the woodcutter in the southeast across the water to the field",
    place: "lay the card on c4, turned halfway, and place a fisherman on its southwest zone: -1",
    lay: "lay the card on c4, turned left, without a worker",
    briefMove: "Card on c4, woodcutter to the neighboring field: +2",
    briefPlace: "Card on c4, new fisherman: +3",
    briefLay: "Card on c4, no worker",
    step: "Ada lays the card on d4 and places a farmer on its northwest zone; total 9.",
  },
  de: {
    move: "Karte auf c4 legen, nach rechts gedreht, und den Holzfäller im Südosten auf das Feld nebenan bewegen: +2",
    ambiguous: "Karte auf c4 legen, nach rechts gedreht, und den Holzfäller auf e4 im Südwesten auf das Feld nebenan bewegen",
    tower: "Karte auf c4 legen, nicht gedreht, und den Holzfäller im Südosten auf den Turm nebenan bewegen",
    ferry: "Karte auf c4 legen, nicht gedreht, und den Holzfäller im Südosten übers Wasser aufs Feld bewegen",
    place: "Karte auf c4 legen, halb gedreht, und einen Fischer auf die Zone im Südwesten setzen: -1",
    lay: "Karte auf c4 legen, nach links gedreht, ohne Arbeiter",
    briefMove: "Karte auf c4, Holzfäller auf das Feld nebenan: +2",
    briefPlace: "Karte auf c4, neuer Fischer: +3",
    briefLay: "Karte auf c4, kein Arbeiter",
    step: "Ada legt die Karte auf d4 und setzt einen Bauern auf die Zone im Nordwesten; gesamt 9.",
  },
  fr: {
    move: "poser la carte en c4, tournée à droite, et déplacer le bûcheron du sud-est dans le champ voisin : +2",
    ambiguous: "poser la carte en c4, tournée à droite, et déplacer le bûcheron de e4 sud-ouest dans le champ voisin",
    tower: "poser la carte en c4, non tournée, et déplacer le bûcheron du sud-est sur la tour voisine",
    ferry: "poser la carte en c4, non tournée, et déplacer le bûcheron du sud-est en traversant l’eau dans le champ",
    place: "poser la carte en c4, tournée d’un demi-tour, et placer un pêcheur au sud-ouest : -1",
    lay: "poser la carte en c4, tournée à gauche, sans ouvrier",
    briefMove: "Carte en c4, bûcheron dans le champ voisin : +2",
    briefPlace: "Carte en c4, nouveau pêcheur : +3",
    briefLay: "Carte en c4, pas d’ouvrier",
    step: "Ada pose la carte en d4 et place un fermier au nord-ouest ; total 9.",
  },
};

describe.each(Object.keys(LIMES) as Language[])("turns of Limes in %s", (language) => {
  beforeEach(() => loadLanguage(language));

  test("name workers, locations and the points gained", () => {
    const texts = {
      move: limes.turnText("c4r1 d4.se>d4.nw", { ...oneWorker, gain: 2 }),
      ambiguous: limes.turnText("c4r1 e4.sw>d4.nw", twoWorkers),
      tower: limes.turnText("c4r0 d4.se>d3.se", oneWorker),
      ferry: limes.turnText("c4r0 d4.se>c3.nw", oneWorker),
      place: limes.turnText("c4r2 +sw", { ...oneWorker, gain: -1 }),
      lay: limes.turnText("c4r3", { ...oneWorker, gain: 0 }),
      briefMove: limes.shortTurnText("c4r1 d4.se>d4.nw", { ...oneWorker, gain: 2 }),
      briefPlace: limes.shortTurnText("c4r1 +sw", { ...oneWorker, gain: 3 }),
      briefLay: limes.shortTurnText("c4r1", oneWorker),
      step: stepText("Ada", "d4r0 +nw", display(CARDS)),
    };
    expect(texts).toEqual(LIMES[language]);
  });
});

test("an ambiguous target names its zone; an omitted display is the last one", async () => {
  await loadLanguage("en");
  const view = viewOf(display({ d4: "T T F T", e4: "F T R T" }, "d4.nw"));
  const context = { player: 0, views: [view, { ...view, displays: [null] }] };
  expect(limes.turnText("d5r0 d4.nw>e4.nw", context)).toContain(
    "the woodcutter in the northwest to the neighboring field (the northwest of e4)",
  );
});

const TILES = { a4: "R", b3: "B", c2: "K", b4: "Y", d3: "R" };
const LIMIT: Record<Language, string[]> = {
  en: [
    "move the pawn in the southwest (a4) to c2 and sink the blue tile b3",
    "move the pawn in the southwest (a4) to c2",
    "sink the yellow tile b4",
    "pass",
    "Pawn from a4 to c2, b3 sunk",
  ],
  de: [
    "die Figur im Südwesten (a4) nach c2 ziehen und das blaue Plättchen b3 versenken",
    "die Figur im Südwesten (a4) nach c2 ziehen",
    "das gelbe Plättchen b4 versenken",
    "passen",
    "Figur von a4 nach c2, b3 versenkt",
  ],
  fr: [
    "déplacer le pion du sud-ouest (a4) en c2 et couler la tuile bleue b3",
    "déplacer le pion du sud-ouest (a4) en c2",
    "couler la tuile jaune b4",
    "passer",
    "Pion de a4 à c2, b3 coulée",
  ],
};

test.each(Object.keys(LIMIT) as Language[])("turns of Limit in %s name the pawn, where it is, and the tile", async (language) => {
  await loadLanguage(language);
  const context = { player: 0, views: [{ tiles: TILES }] };
  const texts = ["a4-c2 xb3", "a4-c2", "xb4", "-"].map((turn) => limit.turnText(turn, context));
  expect([...texts, limit.shortTurnText("a4-c2 xb3", context)]).toEqual(LIMIT[language]);
});
