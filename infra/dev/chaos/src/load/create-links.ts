import { GeneratedLink } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";
import type { Trial } from "../fault-case.ts";
import {
  createRequest,
  type LinkToCreate,
  newLinksToCreate,
  productPages,
  readCreateOutcomes,
} from "./creates.ts";
import type { Exchange } from "./exchange.ts";
import { runLoad } from "./load.ts";

/** Sends creates at a constant rate, with lower priority than concurrent visits. */
export function createLinks(
  { testbed, signal }: Pick<Trial, "testbed" | "signal">,
  creates: readonly LinkToCreate[],
  perSecond: number,
): Promise<Exchange[]> {
  const requests = creates.map(createRequest);
  const plan = { origin: testbed.url, perSecond, requests, total: requests.length };
  return runLoad(plan, signal, { isLowPriority: true });
}

const MAX_ATTEMPTS = 5;

/**
 * Sends the creates, and sends them again as long as all failures are retryable refusals.
 * @returns codes by URL
 */
export async function createLinksWithRetry(
  trial: Pick<Trial, "testbed" | "signal">,
  creates: readonly LinkToCreate[],
  perSecond: number,
): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  let missing = creates;
  for (let attempts = 0; missing.length > 0 && attempts < MAX_ATTEMPTS; attempts++) {
    const outcomes = readCreateOutcomes(missing, await createLinks(trial, missing, perSecond));
    for (const [url, shortCode] of outcomes.created) codes.set(url, shortCode);
    const areAllRetryable = outcomes.refused.length === outcomes.notCreated.length;
    missing = areAllRetryable ? outcomes.notCreated : [];
  }
  return codes;
}

/**
 * Creates one link.
 * @param origin of the gateway or of an api replica
 * @throws when it is refused
 */
export async function createLink(origin: string, create: LinkToCreate): Promise<void> {
  const { path, ...request } = createRequest(create);
  const response = await fetch(`${origin}${path}`, request);
  if (!response.ok) throw new Error(`${create.url} was refused with ${response.status}`);
  z.parse(GeneratedLink, await response.json());
}

/** A function that sends the same create each time, and returns whether it succeeded. */
export function createProbe({ testbed }: Trial): () => Promise<boolean> {
  const [create] = newLinksToCreate(1, productPages(1)) as [LinkToCreate];
  return () =>
    createLink(testbed.url, create).then(
      () => true,
      () => false,
    );
}
