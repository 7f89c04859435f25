import { randomUUID } from "node:crypto";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";
import type { Exchange, HttpResponse, LoadRequest } from "./exchange.ts";

/** A link to create. */
export interface LinkToCreate {
  /** Canonical URL of the product whose metadata the link shows. */
  page: string;
  url: string;
  idempotencyKey: string;
}

/** Outcomes of a list of creates. */
export interface CreateOutcomes {
  /** Short codes by the exact URL. */
  created: Map<string, string>;
  /** Creates that returned no link, for any reason. */
  notCreated: LinkToCreate[];
  /** Statuses of retryable refusals: 503 with Retry-After, and the gateway's 502 and 504. */
  refused: number[];
  withoutResponse: number;
  /** Responses that are neither a link nor a retryable refusal. */
  wrong: string[];
}

/** Links with different URLs, distributed evenly over the pages. */
export function newLinksToCreate(count: number, pages: readonly string[]): LinkToCreate[] {
  return Array.from({ length: count }, (_, index) => {
    const page = pages[index % pages.length] as string;
    const idempotencyKey = randomUUID();
    return { page, url: `${page}?tag=chaos-20&linkId=${idempotencyKey}`, idempotencyKey };
  });
}

/** Canonical URLs of ordinary products; the stand-in serves any number. */
export function productPages(count: number, first = 0): string[] {
  return Array.from(
    { length: count },
    (_, index) => `https://www.amazon.com/dp/B0${String(first + index).padStart(8, "0")}`,
  );
}

export function createRequest({ url, idempotencyKey }: LinkToCreate): LoadRequest {
  return {
    method: generate.method,
    path: generate.path,
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({ url }),
  };
}

export function readCreateOutcomes(
  creates: readonly LinkToCreate[],
  exchanges: readonly Pick<Exchange, "index" | "response">[],
): CreateOutcomes {
  const outcomes: CreateOutcomes = {
    created: new Map(),
    notCreated: [],
    refused: [],
    withoutResponse: 0,
    wrong: [],
  };
  for (const { index, response } of exchanges) {
    const create = creates[index] as LinkToCreate;
    const shortCode = response && shortCodeOf(create, response);
    if (shortCode !== null) {
      outcomes.created.set(create.url, shortCode);
      continue;
    }
    outcomes.notCreated.push(create);
    if (response === null) outcomes.withoutResponse += 1;
    else if (isRetryableRefusal(response)) outcomes.refused.push(response.status);
    else outcomes.wrong.push(`${response.status} ${response.body.trim()}`);
  }
  return outcomes;
}

/** The short code of the created link; null for any other response. */
function shortCodeOf({ url }: LinkToCreate, { status, body }: HttpResponse): string | null {
  if (status !== 201 && status !== 200) return null;
  const link = z.safeParse(GeneratedLink, jsonOrNull(body)).data;
  const isValid = link?.originalUrl === url && link.shortUrl.endsWith(`/l/${link.shortCode}`);
  return isValid ? link.shortCode : null;
}

function isRetryableRefusal({ status, retryAfter }: HttpResponse): boolean {
  return status === 502 || status === 504 || (status === 503 && retryAfter !== null);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
