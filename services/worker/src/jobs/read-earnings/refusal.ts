import type { EarningsRefusal } from "@tapthru/proto/rules/earnings";

const TEXT_MAX_LENGTH = 200;

export interface Refusal {
  reason: EarningsRefusal;
  /** Null if the file has no name, or the reason is not in a file of the ZIP. */
  fileName: string | null;
  /** From 1; null: the reason is not in a line. */
  line: number | null;
  text: string | null;
}

/** Cutting may divide a character, and Postgres refuses halves in JSON. */
export function cutText(text: string): string {
  return text.slice(0, TEXT_MAX_LENGTH).toWellFormed();
}

/** A file cannot be read with certainty, so nothing of it is stored. */
export class ReportRefusal extends Error {
  override readonly name = "ReportRefusal";
  readonly refusal: Refusal;

  constructor(
    reason: EarningsRefusal,
    line: number | null = null,
    text: string | null = null,
    fileName: string | null = null,
  ) {
    super(reason);
    this.refusal = { reason, fileName, line, text: text && cutText(text) };
  }
}
