/** What can be opened beside a table, from anywhere on the page: the legend of its game and the rules, where one is just then. */

interface Table {
  game: string;
  legend: boolean;
}

let table = $state.raw<Table | null>(null);
let section = $state<string | null>(null);
let open = $state<"legend" | "rules" | null>(null);

/** The table that is on the page, if there is one. */
export function currentTable(): Table | null {
  return table;
}

/** Called by pages that show a table, as long as they do. */
export function showTable(shown: Table): () => void {
  table = shown;
  return () => {
    table = open = section = null;
  };
}

/** Called by tables: which section of the rules fits what is being done. */
export function doing(topic: string): void {
  section = topic;
}

export function fittingSection(): string | null {
  return section;
}

/** What is open beside the table. */
export function openBeside(): "legend" | "rules" | null {
  return open;
}

export function setBeside(what: "legend" | "rules" | null): void {
  open = table ? what : null;
}
