import { expect, it } from "vitest";
import { requestIdFrom } from "./request-id.ts";

it("keeps the gateway's id", () => {
  expect(requestIdFrom("4f1c8a52d6b94d0c8e0f5a1b2c3d4e5f")).toBe("4f1c8a52d6b94d0c8e0f5a1b2c3d4e5f");
});

it.each([undefined, "", "short", "a".repeat(65), "with space 123", 'quote"12345', ["12345678"]])(
  "generates a new id instead of %j",
  (header) => {
    const made = requestIdFrom(header);
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdFrom(header)).not.toBe(made);
  },
);
