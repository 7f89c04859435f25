import { parseJson } from "@tapthru/core/platform/parse-json";
import { Outcome, outcomeStrategy } from "@tapthru/proto/redirect/outcome";
import type { ClickCounter } from "../clicks/click-counter.ts";
import type { Client } from "../visitor/visitor.ts";
import { pageIdOf } from "./outcome-proofs.ts";
import type { Outcomes } from "./outcomes.ts";

export interface Report {
  shortCode: string;
  /** The raw request body. */
  body: unknown;
  /** The client, by the User-Agent of the report. */
  client: Client;
  address: string;
  /** Unix milliseconds. */
  now: number;
}

interface CountDependencies extends Pick<Outcomes, "proofs" | "metrics" | "limits"> {
  clicks: Pick<ClickCounter, "countOutcome">;
}

/**
 * Counts the outcome that an app-opening page reports. Ignores invalid and repeated reports, and those whose strategy is not
 * the current one for the reporting app and system.
 */
export function countOutcome(
  { proofs, metrics, limits, clicks }: CountDependencies,
  { shortCode, body, client, address, now }: Report,
): void {
  const { data } = Outcome.safeParse(typeof body === "string" ? parseJson(body) : null);
  if (data === undefined || client.opening === null) return;
  const { strategy, tableVersion } = client.opening;
  const [, , arm] = data.row.split("/");
  if (data.row !== outcomeStrategy(tableVersion, strategy.id, arm)) return;
  if (!proofs.verify(data.proof, shortCode, data.row, now)) return;
  if (!limits.takePage(pageIdOf(data.proof))) return;
  const { outcome } = data;
  // The page of an arm may differ from what the strategy says.
  const isRated = !arm && limits.admit(address, data.row);
  if (isRated) metrics.count(tableVersion, strategy, outcome);
  clicks.countOutcome(shortCode, outcome, isRated ? strategy : null, arm);
}
