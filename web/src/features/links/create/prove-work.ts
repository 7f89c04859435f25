import { PROOF_HEADER } from "@tapthru/proto/visitor";
import { type Challenge, solveChallengeWorkers } from "altcha-lib";
import { callApi } from "../../../lib/http/call-api.ts";

const WORKERS_MAX_COUNT = 4;
const TIMEOUT_MS = 60_000;
const NOTICE_AFTER_MS = 700;

/**
 * Solves a challenge in workers.
 * @returns the header of the request that needs it. Null over plain http, where browsers have no key derivation, and after a minute
 */
export async function proveWork(): Promise<Record<string, string> | null> {
  if (!isSecureContext) return null;
  const notice = document.createElement("p");
  const timer = setTimeout(showNotice, NOTICE_AFTER_MS, notice);
  try {
    const challenge = (await callApi("GET /api/proof-of-work", {})) as unknown as Challenge;
    const solution = await solveChallengeWorkers({
      challenge,
      concurrency: Math.min(navigator.hardwareConcurrency, WORKERS_MAX_COUNT),
      createWorker: () => new Worker(new URL("./solver.ts", import.meta.url), { type: "module" }),
      timeout: TIMEOUT_MS,
    });
    return solution && { [PROOF_HEADER]: btoa(JSON.stringify({ challenge, solution })) };
  } finally {
    clearTimeout(timer);
    notice.remove();
  }
}

/** Not a toast: those need a component, and the first script, whose size has a limit, has no other use for one here. */
function showNotice(notice: HTMLElement): void {
  notice.role = "status";
  notice.className =
    "fixed inset-x-4 bottom-4 z-50 mx-auto w-fit rounded-full border border-line bg-surface px-4 py-2 text-sm shadow-card";
  document.body.append(notice);
  notice.textContent = "Checking that you are not a robot…";
}
