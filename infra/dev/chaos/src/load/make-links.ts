import { GeneratedLink } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";
import type { Trial } from "../fault-case.ts";
import { type Create, createRequest, readCreates } from "./creates.ts";
import type { Exchange } from "./exchange.ts";
import { runLoad } from "./load.ts";

/** Makes links at a steady rate; visits beside them go first. */
export function makeLinks(
  { testbed, signal }: Pick<Trial, "testbed" | "signal">,
  creates: readonly Create[],
  perSecond: number,
): Promise<Exchange[]> {
  const requests = creates.map(createRequest);
  const plan = { origin: testbed.url, perSecond, requests, repeats: false };
  return runLoad(plan, signal, { givesWay: true });
}

const TRIES_MAX = 5;

/**
 * As a client that is told to come back later: asks again for what was refused honestly, and for
 * nothing more once any other answer, or none, has come.
 * @returns codes by address
 */
export async function createLinksWithRetry(
  trial: Pick<Trial, "testbed" | "signal">,
  creates: readonly Create[],
  perSecond: number,
): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  let missing = creates;
  for (let tries = 0; missing.length > 0 && tries < TRIES_MAX; tries++) {
    const outcomes = readCreates(missing, await makeLinks(trial, missing, perSecond));
    for (const [url, shortCode] of outcomes.made) codes.set(url, shortCode);
    const isHonest = outcomes.refused.length === outcomes.notMade.length;
    missing = isHonest ? outcomes.notMade : [];
  }
  return codes;
}

/**
 * Makes one link, without any load around it.
 * @param origin of the gateway, or of a replica of the api
 * @throws when it is refused
 */
export async function makeLink(origin: string, create: Create): Promise<void> {
  const { path, ...request } = createRequest(create);
  const answer = await fetch(`${origin}${path}`, request);
  if (!answer.ok) throw new Error(`${create.url} was refused with ${answer.status}`);
  z.parse(GeneratedLink, await answer.json());
}
