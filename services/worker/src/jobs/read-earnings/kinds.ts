import type { ReportKind } from "@tapthru/proto/rules/earnings";
import { type Heading, plainText } from "./headings.ts";
import type { Column, Columns } from "./words.ts";

export const REQUIRED: Readonly<Record<ReportKind, readonly Column[]>> = {
  earnings: ["asin", "tag", "date", "shipped", "earnings"],
  orders: ["asin", "tag", "date"],
  tracking: ["tag", "clicks"],
  "daily-trends": ["date", "clicks"],
  bounties: ["date", "earnings"],
};

/** `ignored`: one of Amazon's reports from which nothing is shown, or one that is not known. */
type RecognizedKind = ReportKind | "ignored";

const KINDS: Readonly<Record<string, RecognizedKind>> = {
  feeearnings: "earnings",
  feeorders: "orders",
  feetracking: "tracking",
  feedailytrends: "daily-trends",
  bounty: "bounties",
  bounties: "bounties",
};
const NAME =
  /(?<!\p{L})(?:fee[-_ ]?(?:earnings|orders|tracking|daily[-_ ]?trends|link|bonus)[a-z]*|fee[-_][a-z]+|bonus[-_ ]?earnings|bount(?:y|ies)[a-z]*)/iu;
/** A word that goes on with the name, and does not follow it as in `reports from`, `Berichte vom` or `レポート`. */
const MORE_OF_NAME =
  /^[-_\s]*(?!(?:reports?|berichte?|rapports?|informes?|relat[oó]rios?|overzicht|raporty?|raporu|rapporter|from|for|of|vom|von|del?|du|dal|van|za|från)(?!\p{L})|レポート|تقرير)\p{L}/iu;

/** The kind of a report by its whole name, in its title row or, if people add words, in the name of its file. */
export function kindByName(text: string, isTitle: boolean): RecognizedKind | null {
  const name = NAME.exec(text);
  if (name === null) return null;
  const rest = text.slice(name.index + name[0].length);
  return isTitle && MORE_OF_NAME.test(rest) ? "ignored" : (KINDS[plainText(name[0])] ?? "ignored");
}

export function kindByColumns(columns: Columns): RecognizedKind | null {
  const has = (column: Column) => columns[column] !== undefined;
  if (has("asin")) {
    if (has("earnings")) return "earnings";
    if (has("quantity") || has("ordered")) return "orders";
    // The column that shows it is missing.
    if (has("tag") && has("date")) return has("shipped") ? "earnings" : "orders";
    return null;
  }
  if (has("clicks")) {
    if (has("tag")) return "tracking";
    if (has("date")) return "daily-trends";
    return has("linkType") ? "ignored" : null;
  }
  return has("earnings") && has("date") ? "bounties" : null;
}

export function isComplete(kind: ReportKind, { columns, repeated }: Heading): boolean {
  const hasQuantity = columns.quantity !== undefined || columns.ordered !== undefined;
  return (
    (kind !== "orders" || hasQuantity) &&
    REQUIRED[kind].every((column) => columns[column] !== undefined) &&
    repeated.every((column) => column === "name" || column === "linkType")
  );
}
