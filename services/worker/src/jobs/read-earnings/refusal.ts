import type { EarningsRefusal } from "@tapthru/proto/rules/earnings";

const TEXT_MAX_LENGTH = 200;

/** A file cannot be read with certainty, so nothing of it is stored. */
export class ReportRefusal extends Error {
  override readonly name = "ReportRefusal";
  readonly reason: EarningsRefusal;
  /** From 1; null: the reason is not in a line. */
  readonly line: number | null;
  readonly text: string | null;

  constructor(reason: EarningsRefusal, line: number | null = null, text: string | null = null) {
    super(reason);
    this.reason = reason;
    this.line = line;
    // Cutting may divide a character, and Postgres refuses halves in JSON.
    this.text = text?.slice(0, TEXT_MAX_LENGTH).toWellFormed() ?? null;
  }
}

/** Without the class, which processes cannot send to each other. */
export type Refusal = Pick<ReportRefusal, "reason" | "line" | "text">;

export function plainRefusal({ reason, line, text }: ReportRefusal): Refusal {
  return { reason, line, text };
}
