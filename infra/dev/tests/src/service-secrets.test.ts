import { expect, it } from "vitest";
import { SERVICES, type Service, settingsOf } from "./testing/service-configs.ts";

const IS_SECRET = /KEY|SECRET|PASSWORD|CREDENTIALS|DATABASE(_READ)?_URL|SMTP_URL|CLICKHOUSE_URL/;

/** The redirect and the worker process untrusted input, so they get as few secrets as possible. */
const SECRETS: Record<Service, string[]> = {
  api: [
    "DATABASE_URL",
    "CLICKHOUSE_URL",
    "SESSION_KEYS",
    "ENCRYPTION_KEYS",
    "WEBHOOK_KEYS",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AMAZON_ADS_CLIENT_SECRET",
  ],
  redirect: ["DATABASE_READ_URL", "DATABASE_URL", "OUTCOME_KEY"],
  worker: [
    "DATABASE_URL",
    "CLICKHOUSE_URL",
    "WEBHOOK_KEYS",
    "SMTP_URL",
    "AMAZON_CREATORS_CLIENT_SECRET",
  ],
  "region-relay": ["DATABASE_URL"],
  gateway: [],
  migrate: [
    "DATABASE_URL",
    "API_DATABASE_PASSWORD",
    "WORKER_DATABASE_PASSWORD",
    "REDIRECT_DATABASE_PASSWORD",
  ],
};

it.each(SERVICES)("%s reads its own secrets and no other service's", (service) => {
  const secrets = settingsOf(service).filter((name) => IS_SECRET.test(name));
  expect(secrets.sort()).toEqual(SECRETS[service].toSorted());
});
