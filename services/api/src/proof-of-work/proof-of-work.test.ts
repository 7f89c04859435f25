import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { PROOF_HEADER } from "@tapthru/proto/visitor";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { proofFrom } from "../testing/proofs.ts";
import { createProofOfWork, type ProofOfWork } from "./proof-of-work.ts";

const SECRET = "a-key-that-signs-the-challenges-of-tests";

let server: ControlledRedis;
let redis: RequestRedis;
let proofOfWork: ProofOfWork;
beforeAll(async () => {
  server = await startRedis();
  const { logger } = createTestLogger();
  redis = createRequestRedis({ url: server.url, name: "cache", budgetMs: 5_000, logger });
  await redis.start?.();
  proofOfWork = createProofOfWork({ redis, secret: SECRET });
});
afterAll(async () => {
  await redis.stop?.();
  await server.remove();
});
afterEach(() => void vi.useRealTimers());

const accept = (header: string, by = proofOfWork) => by.accept(header, redis.newBudget());

async function solve(challenges = proofOfWork): Promise<string> {
  const challenge = await challenges.createChallenge();
  const headers = await proofFrom({ request: async () => Response.json(challenge) });
  return headers[PROOF_HEADER] ?? "";
}

interface Proof {
  challenge: { parameters: object; signature: string };
  solution: object;
}

/** The same solution with other values. */
function changed(header: string, change: (proof: Proof) => unknown): string {
  const proof = JSON.parse(Buffer.from(header, "base64").toString());
  return Buffer.from(JSON.stringify(change(proof))).toString("base64");
}

describe("a solution", () => {
  it("is accepted once, by all replicas together", async () => {
    const solution = await solve();
    const replica = createProofOfWork({ redis, secret: SECRET });
    const accepted = await Promise.all([accept(solution), accept(solution, replica)]);
    expect(accepted.toSorted()).toEqual([false, true]);
    expect(await accept(solution)).toBe(false);
  });

  it("is not accepted after five minutes", async () => {
    const solution = await solve();
    vi.setSystemTime(Date.now() + 6 * 60 * 1_000);
    expect(await accept(solution)).toBe(false);
  });

  it("of a challenge with another key is not accepted", async () => {
    expect(await accept(await solve(createProofOfWork({ redis, secret: "another key" })))).toBe(false);
  });

  it.each<[string, (proof: Proof) => unknown]>([
    ["another number and key", (proof) => ({ ...proof, solution: { counter: 1, derivedKey: "ab" } })],
    [
      "a later expiry",
      ({ challenge: { parameters, signature }, solution }) => ({
        challenge: { parameters: { ...parameters, expiresAt: 2_000_000_000 }, signature },
        solution,
      }),
    ],
    ["no challenge", ({ solution }) => ({ solution })],
  ])("with %s is not accepted", async (_title, change) => {
    expect(await accept(changed(await solve(), change))).toBe(false);
  });

  it.each(["", "e30=", "%", "x".repeat(9_000)])("cannot be %j", async (header) => {
    expect(await accept(header)).toBe(false);
  });

  it("is accepted once by each process while Redis is unavailable", async () => {
    const solution = await solve();
    await server.kill();
    expect([await accept(solution), await accept(solution)]).toEqual([true, false]);
  });
});
