import { expect, it } from "vitest";
import { forRequest } from "./request-id.ts";
import { createLogLines } from "./testing/log-lines.ts";

it("writes the service, the level's name, the time and the request's id", () => {
  const { logger, lines } = createLogLines();
  forRequest(logger, "abcdef123456").info({ status: 201 }, "made");
  expect(lines).toEqual([
    {
      service: "test",
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: "abcdef123456",
      status: 201,
      msg: "made",
    },
  ]);
});

it("redacts secrets and addresses of people, on top and one level down", () => {
  const { logger, lines, text } = createLogLines();
  logger.info({
    password: "canary",
    token: "canary",
    email: "canary@example.com",
    headers: {
      authorization: "Bearer canary",
      cookie: "sid=canary",
      "set-cookie": ["sid=canary"],
      "idempotency-key": "canary",
    },
  });
  expect(lines).toHaveLength(1);
  expect(text()).not.toContain("canary");
});

it("keeps of a request its method and path only", () => {
  const { logger, lines } = createLogLines();
  logger.info({ req: { method: "GET", url: "/redirect?original_url=canary", headers: {} } });
  expect(lines[0]?.req).toEqual({ method: "GET", path: "/redirect" });
});

it("keeps of an error what it says, not the statement and rows that hang on it", () => {
  const { logger, lines, text } = createLogLines();
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    constraint: "users_email_key",
    detail: "Key (email)=(canary@example.com) already exists.",
  });
  const err = Object.assign(new Error("not written", { cause }), {
    values: ["canary"],
    row: { email: "canary" },
  });
  logger.error({ err }, "failed");
  expect(lines[0]?.err).toMatchObject({
    message: "not written",
    stack: expect.stringContaining("logger.test.ts"),
    cause: { message: "duplicate key", code: "23505", constraint: "users_email_key" },
  });
  expect(text()).not.toContain("canary");
});

it("writes down what was thrown without being an error", () => {
  const { logger, lines } = createLogLines();
  logger.error({ err: "no" });
  expect(lines[0]?.err).toEqual({ message: "no" });
});
