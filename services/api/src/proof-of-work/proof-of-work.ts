import { createHmac } from "node:crypto";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { RateLimiterMemory } from "rate-limiter-flexible";
import * as z from "zod/mini";

const ALGORITHM = "PBKDF2/SHA-256";
/** Iterations of each key, of which a browser derives one for each number up to the solution. */
const COST = 2_000;
const [MIN_NUMBER, MAX_NUMBER] = [150, 600];
const LIFETIME_MS = 5 * 60 * 1_000;
const HEADER_MAX_LENGTH = 2_000;

const Hex = z.string().check(z.regex(/^[0-9a-f]{1,128}$/));

/** The challenge and its solution, as JSON in base64. */
const Proof = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(ALGORITHM),
      cost: z.literal(COST),
      expiresAt: z.int(),
      keyLength: z.int(),
      keyPrefix: Hex,
      keySignature: Hex,
      nonce: Hex,
      salt: Hex,
    }),
    signature: Hex,
  }),
  solution: z.object({ counter: z.int(), derivedKey: Hex }),
});

export type ProofOfWork = ReturnType<typeof createProofOfWork>;

/** @param secret from which the keys of the signatures are derived */
export function createProofOfWork(options: { redis: Pick<RequestRedis, "run">; secret: string }) {
  const { redis, secret } = options;
  const derived = (purpose: string) => createHmac("sha256", secret).update(`proof of work: ${purpose}`).digest("hex");
  const secrets = {
    hmacSignatureSecret: derived("challenge"),
    hmacKeySignatureSecret: derived("solution"),
  };
  /** While Redis is unavailable each process accepts a solution once. */
  const inProcess = new RateLimiterMemory({ points: 1, duration: LIFETIME_MS / 1_000 });

  return {
    createChallenge: () =>
      createChallenge({
        ...secrets,
        algorithm: ALGORITHM,
        cost: COST,
        counter: randomInt(MIN_NUMBER, MAX_NUMBER),
        deriveKey,
        expiresAt: new Date(Date.now() + LIFETIME_MS),
      }),
    /** Whether it is a fresh solution, which was not accepted before. @param header may be anything */
    async accept(header: string, budget: RedisBudget): Promise<boolean> {
      const proof = parseProof(header);
      if (proof === null) return false;
      const { verified } = await verifySolution({ ...proof, ...secrets, deriveKey });
      if (!verified) return false;
      const { signature } = proof.challenge;
      const reply = await bestEffort(
        redis.run(async (client) => {
          const set = await client.set(`proof:${signature}`, 1, "PX", LIFETIME_MS, "NX");
          return set === "OK" ? "new" : "used";
        }, budget),
      );
      if (reply !== null) return reply === "new";
      return inProcess.consume(signature).then(
        () => true,
        () => false,
      );
    },
  };
}

function parseProof(header: string): z.output<typeof Proof> | null {
  if (header === "" || header.length > HEADER_MAX_LENGTH) return null;
  try {
    return z.parse(Proof, JSON.parse(Buffer.from(header, "base64").toString()));
  } catch {
    return null;
  }
}
