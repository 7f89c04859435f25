import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import { expect, test } from "vitest";
import { savePendingLink } from "../../lib/pending-link.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { readPendingLink } from "./stored-pending-link.ts";

test("reads the stored link", () => {
  savePendingLink(generatedLink(), "/dashboard");
  expect(readPendingLink()).toEqual({ ...generatedLink(), returnPath: "/dashboard" });
});

test.each(["", "{", "null", "[]", '{"shortCode":7}'])("reads %j as no link", (stored) => {
  sessionStorage.setItem(PENDING_LINK_KEY, stored);
  expect(readPendingLink()).toBeNull();
});
