import { findEndless } from "@tapthru/proto/testing/hostile-texts/find-endless";
import { expect, it } from "vitest";

it("reads every request in time in proportion to its length", { timeout: 0 }, async () => {
  const server = new URL("./repair-address.ts", import.meta.url);
  const requests = new URL("./testing/hostile-requests.ts", import.meta.url);
  expect(await findEndless([server, requests])).toBeNull();
});
