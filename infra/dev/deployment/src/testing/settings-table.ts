import { readFileSync } from "node:fs";

/** A setting in README's table. */
export interface ListedSetting {
  name: string;
  /** The text of the column "of", such as "api, gateway". */
  of: string;
}

/** Every setting of README's table. */
export function listedSettings(): ListedSetting[] {
  const [, section = ""] = readme().split("\n## Settings\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => {
    const [, names = "", of = ""] = row.split("|").map((cell) => cell.trim());
    return namesIn(names).map((name) => ({ name, of }));
  });
}

/** The settings that README says `start` sets itself. */
export function settingsSetByStart(): string[] {
  const [, sentence = ""] = /It sets ([^.]+) itself/.exec(readme()) ?? [];
  return namesIn(sentence);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = ""]) => name);
}

function readme(): string {
  return readFileSync(new URL("../../../../../README.md", import.meta.url), "utf8");
}
