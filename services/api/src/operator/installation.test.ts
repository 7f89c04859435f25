import { readConfig } from "@tapthru/core/platform/config/configs";
import { FEATURES } from "@tapthru/proto/operator/system";
import { describe, expect, it } from "vitest";
import { featuresOf, withoutLogins } from "./installation.ts";

const SECRET = "canary-0123456789abcdef0123456789abcdef";
const CONFIG = readConfig("api", {
  TAPTHRU_ENV: "local",
  DATABASE_URL: `postgres://api:${SECRET}@localhost/tapthru`,
  REDIS_CACHE_URL: `redis://:${SECRET}@localhost`,
  REDIS_QUEUE_URL: `redis://:${SECRET}@localhost`,
  REDIS_SESSION_URL: `redis://:${SECRET}@localhost`,
  CLICKHOUSE_URL: `http://tapthru:${SECRET}@localhost/tapthru`,
  SESSION_KEYS: SECRET,
  ENCRYPTION_KEYS: SECRET,
  WEBHOOK_KEYS: SECRET,
  RATE_LIMIT_TOKEN: `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)}Z,${SECRET}`,
  OIDC_ISSUER: `https://user:${SECRET}@id.example`,
  OIDC_CLIENT_ID: "tapthru",
  OIDC_CLIENT_SECRET: SECRET,
  AMAZON_ADS_CLIENT_ID: "amzn1",
  AMAZON_ADS_CLIENT_SECRET: SECRET,
});

describe("addresses in a text", () => {
  it.each([
    ["redis://:pass@host:6379/0", "redis://host:6379/0"],
    [
      "no reply of https://ann:pass@a.example/x?y (https://b.example)",
      "no reply of https://a.example/x?y (https://b.example)",
    ],
    ["no page: https://www.amazon.de/dp/B000000001", "no page: https://www.amazon.de/dp/B000000001"],
    ["Tapthru <mail@t.example>", "Tapthru <mail@t.example>"],
  ])("%j has no name and password", (text, shown) => expect(withoutLogins(text)).toBe(shown));

  it.each([
    "redis://:pa/ss@host",
    "redis://:12/ss@host",
    "redis://ann:pa ss@host",
    "https://ann:pa?ss@host",
    "https://ann:1,2@host",
    "//ann:pass@host",
  ])("%j is not shown", (text) => expect(withoutLogins(text)).toBe(null));
});

describe("the features", () => {
  it("are all listed, with the settings that turn them on", () => {
    const features = featuresOf(CONFIG);
    expect(features.map(({ name }) => name)).toEqual(FEATURES);
    expect(features).toEqual(
      expect.arrayContaining([
        { name: "emails", isOn: false, settings: ["SMTP_URL", "SMTP_FROM"] },
        { name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] },
      ]),
    );
  });
});
