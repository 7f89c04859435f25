import { getChallenge, PROOF_HEADER } from "@tapthru/proto/visitor";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { TestApi } from "./test-api.ts";

export async function proofFrom(api: Pick<TestApi, "request">): Promise<Record<string, string>> {
  const response = await api.request("GET", getChallenge.path);
  const challenge = (await response.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return { [PROOF_HEADER]: Buffer.from(JSON.stringify({ challenge, solution })).toString("base64") };
}
