import { randomUUID } from "node:crypto";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";
import type { Answer, Exchange, LoadRequest } from "./exchange.ts";

/** A link to be made. */
export interface Create {
  /** Whose metadata the link will show: the canonical address. */
  page: string;
  url: string;
  idempotencyKey: string;
}

/** What became of a list of creates. */
export interface CreateOutcomes {
  /** Short codes by the exact address. */
  made: Map<string, string>;
  /** Those that gave no link, for whatever reason. */
  notMade: Create[];
  /** Statuses of honest refusals: a 503 that says when to come back, the gateway's 502 and 504. */
  refused: number[];
  unanswered: number;
  /** Answers that are neither a link nor an honest refusal. */
  wrong: string[];
}

/** As many links to be made, by turns of these pages, no two of the same address. */
export function makeCreates(count: number, pages: readonly string[]): Create[] {
  return Array.from({ length: count }, (_, index) => {
    const page = pages[index % pages.length] as string;
    const idempotencyKey = randomUUID();
    return { page, url: `${page}?tag=chaos-20&linkId=${idempotencyKey}`, idempotencyKey };
  });
}

/** Canonical addresses of plain products, which the stand-in has whatever their number. */
export function productPages(count: number, first = 0): string[] {
  return Array.from(
    { length: count },
    (_, index) => `https://www.amazon.com/dp/B0${String(first + index).padStart(8, "0")}`,
  );
}

export function createRequest({ url, idempotencyKey }: Create): LoadRequest {
  return {
    method: generate.method,
    path: generate.path,
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({ url }),
  };
}

export function readCreates(
  creates: readonly Create[],
  exchanges: readonly Pick<Exchange, "index" | "answer">[],
): CreateOutcomes {
  const outcomes: CreateOutcomes = {
    made: new Map(),
    notMade: [],
    refused: [],
    unanswered: 0,
    wrong: [],
  };
  for (const { index, answer } of exchanges) {
    const create = creates[index] as Create;
    const shortCode = answer && codeOf(create, answer);
    if (shortCode !== null) {
      outcomes.made.set(create.url, shortCode);
      continue;
    }
    outcomes.notMade.push(create);
    if (answer === null) outcomes.unanswered += 1;
    else if (isHonestRefusal(answer)) outcomes.refused.push(answer.status);
    else outcomes.wrong.push(`${answer.status} ${answer.body.trim()}`);
  }
  return outcomes;
}

/** The short code of the link that was asked for; null when the answer is anything else. */
function codeOf({ url }: Create, { status, body }: Answer): string | null {
  if (status !== 201 && status !== 200) return null;
  const link = z.safeParse(GeneratedLink, jsonOrNull(body)).data;
  const isWhole = link?.originalUrl === url && link.shortUrl.endsWith(`/l/${link.shortCode}`);
  return isWhole ? link.shortCode : null;
}

function isHonestRefusal({ status, retryAfter }: Answer): boolean {
  return status === 502 || status === 504 || (status === 503 && retryAfter !== null);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
