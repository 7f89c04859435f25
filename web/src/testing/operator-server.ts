import type { OperatorLimit } from "@tapthru/proto/http/operator/limits";
import type { FailedItem, QueueState } from "@tapthru/proto/http/operator/system";
import type { UserDetails } from "@tapthru/proto/http/operator/users";
import { HttpResponse, http } from "msw";
import { serveAccounts } from "./accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "./fake-identity-provider.ts";
import { renderApp } from "./render-app.tsx";
import { server } from "./server.ts";

const ANNA = identityFor("anna@example.com");

/** Opens a page as a user who is an operator. */
export async function openAsOperator(path: string) {
  const { users } = serveAccounts(ANNA.email);
  Object.assign(users.get(ANNA.uid) ?? {}, { isOperator: true });
  await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
}

export function userDetails(changes: Partial<UserDetails> = {}): UserDetails {
  return {
    id: 7,
    username: "berta",
    email: "berta@example.com",
    createdAt: "2026-11-20T08:00:00.000Z",
    isOperator: false,
    state: "enabled",
    linkCount: 12,
    keyCount: 1,
    lastLoginAt: null,
    keys: [{ name: "Script", start: "tt_4fQz", lastUsedAt: null }],
    domains: ["go.berta.example"],
    sessionCount: 2,
    hasTwoFactor: true,
    storage: { clickRows: 4_200, importLines: 0, earningsRows: 0 },
    ...changes,
  };
}

export function queueState(changes: Partial<QueueState> = {}): QueueState {
  const counts = { waiting: 0, running: 0, delayed: 0, failedCount: 0 };
  return { job: "run-import", ...counts, failed: [], ...changes };
}

export function systemState(queues: QueueState[] | null) {
  return {
    version: "2026.11.26",
    environment: "production",
    postgres: {
      version: "18.6",
      role: "primary",
      sizeBytes: 81_000_000,
      connections: 24,
      maxConnections: 100,
      migration: "0064-operator",
      migrationCount: 48,
    },
    redis: [
      {
        name: "cache",
        state: {
          role: "master",
          version: "8.4.0",
          usedBytes: 21_000_000,
          maxBytes: null,
          policy: "allkeys-lfu",
        },
      },
      { name: "queue", state: null },
    ],
    queues,
    failedItems: { count: 0, items: [] as FailedItem[] },
    outbox: { waiting: 3, oldestSeconds: 1.2 },
    imports: { waiting: 1, running: 2 },
    pageReads: { ok: 1_200, gone: 3 },
    features: [
      { name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] },
      { name: "amazon-ads", isOn: false, settings: ["AMAZON_ADS_CLIENT_ID", "ENCRYPTION_KEYS"] },
      { name: "of-a-newer-release", isOn: true, settings: [] },
    ],
    settings: [
      { name: "SIGNUP_MODE", value: "invitation", isSecret: false, isSet: true },
      { name: "SESSION_KEYS", value: null, isSecret: true, isSet: true },
      { name: "WEBHOOK_KEYS", value: null, isSecret: true, isSet: false },
    ],
  };
}

/** Serves the limit of all visitors together, which can be raised. */
export function serveLimits(isOn = true): OperatorLimit[] {
  const shared: OperatorLimit = {
    name: "anonymousCreates",
    address: null,
    visitor: null,
    all: 600,
    used: 412,
    factor: 1,
    raisedUntil: null,
  };
  const generate = { name: "generate", address: 60, visitor: 120, all: null, used: null };
  const limits = [shared, { ...generate, factor: 1, raisedUntil: null }];
  server.use(
    http.get("/api/operator/limits", () => HttpResponse.json({ isOn, limits })),
    http.put("/api/operator/limits/:name", async ({ request, params }) => {
      const { factor } = (await request.json()) as { factor: number };
      const limit = limits.find(({ name }) => name === params.name) ?? shared;
      limit.factor = factor;
      limit.raisedUntil = factor === 1 ? null : "2026-11-26T12:00:00.000Z";
      return HttpResponse.json(limit);
    }),
  );
  return limits;
}
