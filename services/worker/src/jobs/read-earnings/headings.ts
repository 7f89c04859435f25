import { commonCurrencies, currenciesOf } from "./currencies.ts";
import { COLUMNS, type Column, type Columns, WORDS } from "./words.ts";

const MONEY: ReadonlySet<string | undefined> = new Set(["revenue", "earnings", "income", "total", "price"]);
const HEADING_MAX_LENGTH = 100;
const TOTAL_MAX_LENGTH = 20;

/** By their first letter, longer words first. */
const MEANINGS = Map.groupBy(
  Object.entries(WORDS)
    .flatMap(([meaning, words]) => words.split(" ").map((word) => [plainText(word), meaning] as const))
    .toSorted(([a], [b]) => b.length - a.length),
  ([word]) => word.charAt(0),
);
const COLUMN_OF = new Map(
  Object.entries(COLUMNS).flatMap(([column, names]) => names.split(", ").map((name) => [name, column as Column])),
);

/** Returns null if a part of the text is no known word. */
function meaningsIn(text: string): Set<string> | null {
  if (text.length > HEADING_MAX_LENGTH) return null;
  const found: (readonly string[] | undefined)[] = [];
  found[text.length] = [];
  for (let at = text.length - 1; at >= 0; at--) {
    const fits = ([word]: readonly [string, string]) => text.startsWith(word, at) && found[at + word.length];
    const [word = "", meaning = ""] = MEANINGS.get(text.charAt(at))?.find(fits) ?? [];
    if (word !== "") found[at] = [meaning, ...(found[at + word.length] ?? [])];
  }
  return found[0] === undefined ? null : new Set(found[0].filter((meaning) => meaning !== ""));
}

/**
 * `income`: of the two amounts, the one that no other heading is. `total`: of earnings, unless a heading has a part of them.
 * `price`, `rate`: it is known, and not shown.
 */
type Meaning = Column | "income" | "total" | "price" | "rate" | undefined;

function columnOf(text: string): Meaning {
  const meanings = meaningsIn(plainText(text));
  if (meanings === null) return undefined;
  if (meanings.has("rate")) return "rate";
  const hasTotal = meanings.delete("total");
  const name = () => [...meanings].toSorted().join(" ");
  if (!COLUMN_OF.has(name())) meanings.delete("count");
  if (!hasTotal && /^(?:item )?price$/.test(name())) return "price";
  const column = name() === "income" ? "income" : COLUMN_OF.get(name());
  return column === "earnings" && hasTotal ? "total" : column;
}

export function isTotal(cell: string): boolean {
  if (cell.length > TOTAL_MAX_LENGTH) return false;
  const meanings = meaningsIn(plainText(cell));
  return meanings?.size === 1 && meanings.has("total");
}

export interface Heading {
  columns: Columns;
  /** Those that all headings with a currency allow; null if none has one. */
  currencies: readonly string[] | null;
  repeated: readonly Column[];
  unknown: readonly number[];
  /** The indices of columns that have no amounts, unless these have a currency. */
  withoutAmounts: readonly number[];
}

export function readHeading(cells: readonly string[]): Heading {
  const read = cells.map(readCell);
  const found = Map.groupBy(read.keys(), (index) => read[index]?.column);
  const indicesOf = (...names: Meaning[]) => names.flatMap((name) => found.get(name) ?? []);
  const known = (Object.keys(COLUMNS) as Column[]).filter((column) => found.has(column));
  const columns = new Map(known.map((column) => [column, indicesOf(column)[0] ?? 0]));
  const [incomes, totals] = [indicesOf("income"), indicesOf("total")];
  if (!columns.has("earnings")) for (const total of totals.splice(0, 1)) columns.set("earnings", total);
  const [open, ...others] = (["revenue", "earnings"] as const).filter((column) => !columns.has(column));
  if (open !== undefined && others.length === 0 && incomes.length === 1) columns.set(open, incomes.pop() ?? 0);
  return {
    columns: Object.fromEntries(columns),
    currencies: commonCurrencies(read.map(({ currencies }) => currencies)),
    repeated: known.filter((column) => indicesOf(column).length > 1),
    unknown: [...indicesOf(undefined), ...incomes, ...totals],
    withoutAmounts: indicesOf("rate", "direct", "indirect"),
  };
}

function readCell(cell: string): { column: Meaning; currencies: readonly string[] | null } {
  if (cell.length > HEADING_MAX_LENGTH) return { column: undefined, currencies: null };
  const text = cell.normalize("NFKC").trim();
  // `Revenue($)`, `Umsatz in EUR`, `Umsatz €`.
  for (const pattern of [/^(.*?)\s*[([]([^()[\]]*)[)\]]$/s, /^(.*?)(?:\s+in)?\s+(\S+)$/s, /^(.*?)(\p{Sc})$/su]) {
    const [, name = "", sign = ""] = pattern.exec(text) ?? [];
    const [column, currencies] = [columnOf(name), currenciesOf(sign)];
    if (column === undefined || currencies === null) continue;
    return MONEY.has(column) ? { column, currencies } : { column: undefined, currencies: null };
  }
  return { column: columnOf(text), currencies: null };
}

/** In lower case, without accents and what separates words: any other sign may be one of a currency. */
export function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .replaceAll(/[\s\p{M}\p{Cf}\p{Pd}\p{Pc}()[\]"'’.,:;/#*&]/gu, "");
}
