import { Outcome } from "@tapthru/proto/redirect/outcome";
import type { Random } from "../../random.ts";

/** A kind of phone on which people open short links. */
export interface Phone {
  /** The row of the strategy table for it. */
  row: string;
  userAgent: string;
  /** Whether a page can open the Amazon app without a tap. */
  opensByItself: boolean;
}

/** What an app-opening page has for its script. */
export interface OpenedPage {
  /** The path of its report. */
  reportPath: string;
  /** The name of its strategy, with the version of the table. */
  strategy: string;
  proof: string;
  isAutomatic: boolean;
}

/** The others have no Amazon app. */
const SHARE_WITH_APP = 0.9;

/** @throws if it is not an app-opening page */
export function readPage(html: string): OpenedPage {
  const [, attributes = ""] = /<body([^>]*)>/.exec(html) ?? [];
  const data = new Map(
    Array.from(attributes.matchAll(/ data-([a-z]+)="([^"]*)"/g), ([, name, value]) => [
      name,
      value,
    ]),
  );
  const read = (name: string) => {
    const value = data.get(name);
    if (value === undefined) throw new Error(`The page has no data-${name}: ${html.slice(0, 200)}`);
    return value;
  };
  return {
    reportPath: read("report"),
    strategy: read("row"),
    proof: read("proof"),
    isAutomatic: data.has("automatic"),
  };
}

/** What the page's script reports: after its own attempt, or after the tap on the app's button. */
export function outcomeOn(
  { opensByItself }: Phone,
  { strategy, proof, isAutomatic }: OpenedPage,
  random: Random,
): Outcome {
  const canOpen = random() < SHARE_WITH_APP;
  const isOpened = canOpen && (opensByItself || !isAutomatic);
  return Outcome.parse({ row: strategy, proof, outcome: isOpened ? "opened" : "stayed" });
}
