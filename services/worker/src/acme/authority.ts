import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type OrderProblem, problemOf } from "./order-problem.ts";

export interface Account {
  url: string;
  /** PEM. */
  key: string;
  thumbprint: string;
}

export class AuthorityError extends Error {
  override readonly name = "AuthorityError";
  readonly problem: OrderProblem;

  constructor(problem: OrderProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** All methods throw only AuthorityError. */
export interface Authority {
  createAccount(email: string | null): Promise<Account>;
  /** With an ECDSA key. */
  order(account: Account, host: string): Promise<{ chain: string; key: string }>;
}

const REQUEST_TIMEOUT_MS = 15_000;
/** Each of the three waits of an order takes 45 seconds at most, and the time of its requests. */
const POLLING = { backoffAttempts: 12, backoffMin: 500, backoffMax: 5_000 };
/** An order sends no request after this time. */
export const ORDER_TIMEOUT_MS = 3 * 60_000;

const orderSignal = new AsyncLocalStorage<AbortSignal>();

/** acme-client and what it needs take 20 MB, so they are loaded with the first use. */
async function loadLibrary() {
  const library = await import("acme-client");
  const { axios } = library;
  // Our own backoff retries. acme-client has this setting of its own there.
  Object.assign(axios.defaults, {
    timeout: REQUEST_TIMEOUT_MS,
    acmeSettings: { retryMaxAttempts: 0 },
  });
  axios.interceptors.request.use((request) => Object.assign(request, { signal: orderSignal.getStore() }));
  return library;
}

export function createAuthority(directoryUrl: string, orderTimeoutMs = ORDER_TIMEOUT_MS): Authority {
  let loading: ReturnType<typeof loadLibrary> | null = null;
  const load = () => {
    loading ??= loadLibrary();
    return loading;
  };

  return {
    createAccount: (email) =>
      translated(async () => {
        const { crypto, Client } = await load();
        const key = (await crypto.createPrivateEcdsaKey("P-256")).toString();
        const client = new Client({ directoryUrl, accountKey: key });
        await client.createAccount({
          termsOfServiceAgreed: true,
          ...(email !== null && { contact: [`mailto:${email}`] }),
        });
        return { url: client.getAccountUrl(), key, thumbprint: thumbprintOf(crypto.getJwk(key)) };
      }),
    order: (account, host) =>
      withTimeout(orderTimeoutMs, async () => {
        const { crypto, Client } = await load();
        const client = new Client({ directoryUrl, accountUrl: account.url, accountKey: account.key, ...POLLING });
        // No commonName: it has 64 characters at most.
        const [key, csr] = await crypto.createCsr({ altNames: [host] }, await crypto.createPrivateEcdsaKey("P-256"));
        const chain = await client.auto({
          csr,
          challengePriority: ["http-01"],
          // The api responds to every challenge.
          challengeCreateFn: async () => {},
          challengeRemoveFn: async () => {},
          skipChallengeVerification: true,
        });
        return { chain, key: key.toString() };
      }),
  };
}

async function withTimeout<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(ms);
  const timeout = once(signal, "abort").then(() => {
    throw new AuthorityError("authority-unavailable", "The order took too long");
  });
  return Promise.race([orderSignal.run(signal, () => translated(work)), timeout]);
}

async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new AuthorityError(problemOf(error), messageOf(error).slice(0, 500));
  }
}

function messageOf(error: unknown): string {
  // As in problemOf.
  if (error instanceof TypeError) return "The certificate authority could not be reached";
  return error instanceof Error ? error.message : String(error);
}

/** RFC 7638. */
function thumbprintOf(jwk: object): string {
  const members = Object.entries(jwk).filter(([name]) => ["crv", "kty", "x", "y"].includes(name));
  const sorted = Object.fromEntries(members.sort(([a], [b]) => a.localeCompare(b)));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url");
}
