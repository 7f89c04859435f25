import { Outcome, outcomeStrategy } from "@tapthru/proto/redirect/outcome";
import type { Client } from "../visitor.ts";
import type { Outcomes } from "./outcomes.ts";

export interface Report {
  shortCode: string;
  /** As sent. */
  body: unknown;
  /** Who reports, by the agent. */
  client: Client;
  /** Unix milliseconds. */
  now: number;
}

/**
 * Counts what a page of ours has found out. It was handed out to this very app and system, by the row
 * that is in force; whatever else arrives is nothing.
 */
export function countOutcome(
  { proofs, metrics }: Pick<Outcomes, "proofs" | "metrics">,
  { shortCode, body, client, now }: Report,
): void {
  const { data } = Outcome.safeParse(parseJson(body));
  if (data === undefined || client.opening === null) return;
  const { row, tableVersion } = client.opening;
  if (data.row !== outcomeStrategy(tableVersion, row.id)) return;
  if (!proofs.hold(data.proof, shortCode, data.row, now)) return;
  metrics.count(tableVersion, row, data.outcome);
}

function parseJson(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : null;
  } catch {
    return null;
  }
}
