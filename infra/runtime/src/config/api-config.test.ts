import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { configErrors } from "../testing/config-errors.ts";
import { readConfig } from "./api-config.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const PRODUCTION = {
  TAPTHRU_ENV: undefined,
  PUBLIC_BASE_URL: "https://go.example",
  DATABASE_URL: "postgres://api:9f2c6d@db:5432/tapthru",
  REDIS_CACHE_URL: "rediss://cache:6379",
  REDIS_QUEUE_URL: "rediss://queue:6379",
  REDIS_SESSION_URL: undefined,
  SESSION_KEYS: KEY,
  FIREBASE_PROJECT_ID: undefined,
  FIREBASE_AUTH_EMULATOR_HOST: undefined,
  GOOGLE_APPLICATION_CREDENTIALS: undefined,
  RATE_LIMITS: undefined,
  ENCRYPTION_KEYS: undefined,
  AMAZON_ADS_CLIENT_ID: undefined,
  AMAZON_ADS_CLIENT_SECRET: undefined,
};

const errorsOf = (changes: Record<string, string | undefined>) =>
  configErrors(readConfig, { ...PRODUCTION, ...changes });

afterEach(() => void vi.unstubAllEnvs());

describe("in production the api", () => {
  it("starts without an identity provider", () => {
    expect(errorsOf({})).toEqual([]);
  });

  it("requires session keys of sufficient length", () => {
    expect(errorsOf({ SESSION_KEYS: undefined })).toEqual(["SESSION_KEYS is missing"]);
    for (const keys of ["short", `${KEY},short`, `${KEY},`]) {
      expect(errorsOf({ SESSION_KEYS: keys })).toEqual([
        "SESSION_KEYS must be comma-separated random texts of at least 32 characters",
      ]);
    }
    expect(errorsOf({ SESSION_KEYS: `${KEY}, ${KEY}x` })).toEqual([]);
  });

  it("requires a service account for the identity provider", () => {
    const project = { FIREBASE_PROJECT_ID: "the-project" };
    expect(errorsOf(project)).toEqual(["GOOGLE_APPLICATION_CREDENTIALS is missing"]);
    expect(errorsOf({ ...project, GOOGLE_APPLICATION_CREDENTIALS: "/no/such/file" })).toEqual([
      "GOOGLE_APPLICATION_CREDENTIALS must be the path of a file",
    ]);
    const file = fileURLToPath(import.meta.url);
    expect(errorsOf({ ...project, GOOGLE_APPLICATION_CREDENTIALS: file })).toEqual([]);
  });

  it("requires all settings of Amazon Ads or none", () => {
    const client = { AMAZON_ADS_CLIENT_ID: "id", AMAZON_ADS_CLIENT_SECRET: "secret" };
    expect(errorsOf({ ENCRYPTION_KEYS: KEY })).toEqual([]);
    expect(errorsOf({ ...client, ENCRYPTION_KEYS: KEY })).toEqual([]);
    expect(errorsOf(client)).toEqual(["ENCRYPTION_KEYS is missing"]);
    expect(errorsOf({ AMAZON_ADS_CLIENT_ID: "id", ENCRYPTION_KEYS: KEY })).toEqual([
      "AMAZON_ADS_CLIENT_SECRET is missing",
    ]);
    expect(errorsOf({ ...client, ENCRYPTION_KEYS: "short" })).toEqual([
      "ENCRYPTION_KEYS must be comma-separated random texts of at least 32 characters",
    ]);
  });

  it("rejects the emulator and disabled rate limits", () => {
    expect(errorsOf({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" })).toEqual([
      "FIREBASE_AUTH_EMULATOR_HOST must not be set in production",
    ]);
    expect(errorsOf({ RATE_LIMITS: "off" })).toEqual(["RATE_LIMITS must not be off in production"]);
  });
});
