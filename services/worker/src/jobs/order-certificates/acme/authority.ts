import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { Authorization, Client, Order } from "acme-client";
import * as z from "zod/mini";
import { type OrderProblem, problemOf } from "./order-problem.ts";

/** The object identifier of the extension authorityKeyIdentifier in DER. */
const AUTHORITY_KEY_IDENTIFIER = Buffer.from("0603551d23", "hex");
const KEY_IDENTIFIER_TAG = 0x80;

/** By the identifier of its authority's key (RFC 9773), and its serial number; null for a certificate without that identifier. */
export function certificateId({ raw, serialNumber }: Pick<X509Certificate, "raw" | "serialNumber">): string | null {
  const at = raw.indexOf(AUTHORITY_KEY_IDENTIFIER);
  if (at === -1) return null;
  // An octet string with a sequence, whose first element it is. The lengths are below 128 and take one byte each.
  const value = raw.subarray(at + AUTHORITY_KEY_IDENTIFIER.length);
  const [, , , , tag, length = 0] = value;
  if (tag !== KEY_IDENTIFIER_TAG) return null;
  const keyIdentifier = value.subarray(6, 6 + length);
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  // DER has a zero before a number whose first bit is set.
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex, "hex");
  return `${keyIdentifier.toString("base64url")}.${serial.toString("base64url")}`;
}

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

export interface Authority {
  createAccount(email: string | null): Promise<Account>;
  /** With an ECDSA key. @param replaced the chain that it renews */
  order(host: string, replaced: string | null): Promise<{ chain: string; key: string }>;
  /** The time in which the authority suggests to renew a certificate (RFC 9773); null: it does not say. */
  renewalWindow(chain: string): Promise<RenewalWindow | null>;
}

const RenewalInfo = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
});
export interface RenewalWindow {
  startMs: number;
  endMs: number;
}

/** @param account null: before it is created. All methods throw only AuthorityError. */
export type OpenAuthority = (account: Account | null) => Promise<Authority>;

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

export function createOpenAuthority(directoryUrl: string, orderTimeoutMs = ORDER_TIMEOUT_MS): OpenAuthority {
  let loading: ReturnType<typeof loadLibrary> | null = null;
  return async (account) => {
    loading ??= loadLibrary();
    const { axios, crypto, Client } = await loading;
    const key = account?.key ?? (await crypto.createPrivateEcdsaKey("P-256")).toString();
    const client = new Client({
      directoryUrl,
      accountKey: key,
      ...POLLING,
      ...(account && { accountUrl: account.url }),
    });

    return {
      createAccount: (email) =>
        translated(async () => {
          await client.createAccount({
            termsOfServiceAgreed: true,
            ...(email !== null && { contact: [`mailto:${email}`] }),
          });
          return { url: client.getAccountUrl(), key, thumbprint: thumbprintOf(crypto.getJwk(key)) };
        }),
      order: (host, replaced) =>
        withTimeout(orderTimeoutMs, async () => {
          const order = await createOrder(client, host, await replacedId(replaced));
          for (const authorization of await client.getAuthorizations(order)) await authorize(client, authorization);
          // No commonName: it has 64 characters at most.
          const [certificateKey, csr] = await crypto.createCsr(
            { altNames: [host] },
            await crypto.createPrivateEcdsaKey("P-256"),
          );
          const chain = await client.getCertificate(await client.finalizeOrder(order, csr));
          return { chain, key: certificateKey.toString() };
        }),
      renewalWindow: (chain) =>
        translated(async () => {
          const [url, id] = [await renewalInfoUrl(), certificateId(new X509Certificate(chain))];
          if (url === null || id === null) return null;
          const { data } = await axios.get(`${url}/${id}`);
          const { start, end } = z.parse(RenewalInfo, data).suggestedWindow;
          return { startMs: Date.parse(start), endMs: Date.parse(end) };
        }),
    };

    async function renewalInfoUrl(): Promise<string | null> {
      const { data } = await axios.get(directoryUrl);
      return z.parse(Directory, data).renewalInfo ?? null;
    }

    /** Null if the authority does not know renewalInfo. */
    async function replacedId(chain: string | null): Promise<string | null> {
      if (chain === null || (await renewalInfoUrl()) === null) return null;
      return certificateId(new X509Certificate(chain));
    }
  };
}

const Directory = z.object({ renewalInfo: z.optional(z.string()) });

/** An authority may refuse the name of the replaced certificate, for example if it was replaced already. */
async function createOrder(client: Client, host: string, replaces: string | null): Promise<Order> {
  const order = { identifiers: [{ type: "dns", value: host }] };
  if (replaces === null) return client.createOrder(order);
  return client.createOrder(Object.assign({ replaces }, order)).catch((error) => {
    if (problemOf(error) !== "order-refused") throw error;
    return client.createOrder(order);
  });
}

async function authorize(client: Client, authorization: Authorization): Promise<void> {
  if (authorization.status === "valid") return;
  const challenge = authorization.challenges.find(({ type }) => type === "http-01");
  if (challenge === undefined) throw new Error("The authority offers no HTTP-01 challenge");
  await client.completeChallenge(challenge);
  // On failure the error has the whole authorization, with the type of the problem.
  await client.waitForValidStatus(authorization);
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
