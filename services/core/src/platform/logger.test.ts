import { expect, it } from "vitest";
import { createTestLogger } from "./testing/test-logger.ts";

it("writes the service, the level's name, the time and the request's id", () => {
  const { logger, lines } = createTestLogger();
  logger.child({ requestId: "abcdef123456" }).info({ event: "request_completed", status: 201 }, "made");
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const record = { service: "test", level: "info", time, requestId: "abcdef123456", msg: "made" };
  expect(lines).toEqual([{ ...record, event: "request_completed", status: 201 }]);
});

it("redacts secrets and personal addresses, at the top level and one below", () => {
  const { logger, lines, text } = createTestLogger();
  const cookies = { cookie: "sid=canary", "set-cookie": ["sid=canary"] };
  const headers = { authorization: "Bearer canary", "idempotency-key": "canary", ...cookies };
  const secrets = { password: "canary", token: "canary", email: "canary@example.com", headers };
  logger.info({ event: "request_completed", ...secrets }, "secrets");
  expect(lines).toHaveLength(1);
  expect(text()).not.toContain("canary");
});

it("keeps only the method and path of a request", () => {
  const { logger, lines } = createTestLogger();
  const req = { method: "GET", url: "/redirect?original_url=canary", headers: {} };
  logger.info({ event: "request_completed", req }, "request");
  expect(lines[0]?.req).toEqual({ method: "GET", path: "/redirect" });
});

it("keeps the message of an error, not the statement and rows attached to it", () => {
  const { logger, lines, text } = createTestLogger();
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    constraint: "users_email_key",
    detail: "Key (email)=(canary@example.com) already exists.",
  });
  const err = Object.assign(new Error("not written", { cause }), {
    values: ["canary"],
    row: { email: "canary" },
  });
  logger.error({ event: "request_failed", err }, "failed");
  expect(lines[0]?.err).toMatchObject({
    message: "not written",
    stack: expect.stringContaining("logger.test.ts"),
    cause: { message: "duplicate key", code: "23505", constraint: "users_email_key" },
  });
  expect(text()).not.toContain("canary");
});

it("logs thrown values that are not errors", () => {
  const { logger, lines } = createTestLogger();
  logger.error({ event: "request_failed", err: "no" }, "failed");
  expect(lines[0]?.err).toEqual({ message: "no" });
});
