import type { FailedItem, FailedJobs } from "@tapthru/proto/operator/system";
import type { UserDetails } from "@tapthru/proto/operator/users";
import "../app/routes/operator/operator.tsx";
import type { Config } from "../lib/config.ts";
import { openAsUser } from "./open-as-user.ts";

export const openAsOperator = (path: string, changes: Partial<Config> = {}) =>
  openAsUser(path, { user: { isOperator: true }, changes });

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
    isEmailConfirmed: true,
    storage: { clickRows: 4_200, importLines: 0, earningsRows: 0 },
    ...changes,
  };
}

export function systemState(failedJobs: FailedJobs[] | null) {
  return {
    failedJobs,
    failedItems: { count: 0, items: [] as FailedItem[] },
    features: [
      { name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] },
      { name: "amazon-ads", isOn: false, settings: ["AMAZON_ADS_CLIENT_ID", "ENCRYPTION_KEYS"] },
      { name: "of-a-newer-release", isOn: true, settings: [] },
    ],
    untrustedProxy: null as string | null,
  };
}
