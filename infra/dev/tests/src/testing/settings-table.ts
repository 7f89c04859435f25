import { readFileSync } from "node:fs";

/** A setting in the table of docs/configuration.md. */
export interface ListedSetting {
  name: string;
  /** The text of the column "of", such as "api, gateway". */
  of: string;
}

/** Every setting of that table. */
export function listedSettings(): ListedSetting[] {
  const [, section = ""] = configuration().split("# Configuration\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => {
    const [, names = "", of = ""] = row.split("|").map((cell) => cell.trim());
    return namesIn(names).map((name) => ({ name, of }));
  });
}

/** The settings that it says `start` sets itself. */
export function settingsSetByStart(): string[] {
  const [, sentence = ""] = /It sets ([^.]+) itself/.exec(configuration()) ?? [];
  return namesIn(sentence);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = ""]) => name);
}

function configuration(): string {
  return readFileSync(new URL("../../../../../docs/configuration.md", import.meta.url), "utf8");
}
