import { afterEach, describe, expect, it, vi } from "vitest";
import { configErrors } from "../testing/config-errors.ts";
import { readConfig } from "./worker-config.ts";

const PRODUCTION = {
  TAPTHRU_ENV: "production",
  PUBLIC_BASE_URL: "https://go.example",
  DATABASE_URL: "postgres://worker:9f2c6d@db:5432/tapthru",
  REDIS_CACHE_URL: "rediss://cache:6379",
  REDIS_QUEUE_URL: "rediss://queue:6379",
  SMTP_URL: "smtps://mail:7d1e9b@smtp.example:465",
  SMTP_FROM: "mail@go.example",
};

const errorsOf = (changes: Record<string, string>) =>
  configErrors(readConfig, { ...PRODUCTION, ...changes });

afterEach(() => void vi.unstubAllEnvs());

describe("the mail server of the worker", () => {
  it.each([
    {},
    { SMTP_URL: "", SMTP_FROM: "" },
    { SMTP_URL: "smtp://smtp.example:587?tls.servername=mx.example" },
  ])("may be set as %j", (changes) => {
    expect(errorsOf(changes)).toEqual([]);
  });

  it("needs a sender", () => {
    expect(errorsOf({ SMTP_FROM: "" })).toEqual(["SMTP_FROM is missing"]);
  });

  it("may not be missing if there is a sender, because the api then offers emails", () => {
    expect(errorsOf({ SMTP_URL: "" })).toEqual(["SMTP_URL is missing"]);
  });

  it.each(["smtp.example:465", "https://smtp.example", "smtp://", "smtp://smtp.example/path"])(
    "is not %s",
    (SMTP_URL) => {
      expect(errorsOf({ SMTP_URL })).toEqual([
        "SMTP_URL must be an address such as smtps://user:password@host:465",
      ]);
    },
  );

  it.each(["mail", "Mail <mail@go.example>", "mail@go.example\r\nBcc: eve@go.example", "a@b, c@d"])(
    "has no sender %j",
    (SMTP_FROM) => {
      expect(errorsOf({ SMTP_FROM })).toEqual(["SMTP_FROM must be an email address"]);
    },
  );
});
