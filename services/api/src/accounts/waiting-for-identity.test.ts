import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { afterAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { PROJECT_ID, startFirebaseApi } from "../testing/firebase-api.ts";
import { bearer } from "../testing/test-user.ts";
import { unsignedToken } from "../testing/unsigned-token.ts";
import { startWorld } from "../testing/world.ts";

let received = 0;
const unresponsiveProvider = createServer(() => {
  received += 1;
});
unresponsiveProvider.listen(0, "127.0.0.1");
await once(unresponsiveProvider, "listening");
afterAll(() => {
  unresponsiveProvider.closeAllConnections();
  unresponsiveProvider.close();
});
const { api: available, ada: user } = await startWorld();
user.token = unsignedToken(user, PROJECT_ID);
const { port } = unresponsiveProvider.address() as AddressInfo;
const api = await startFirebaseApi(`127.0.0.1:${port}`, available);
afterAll(() => api.stop());
beforeEach(() => {
  received = 0;
});

it.each([
  ["a login", () => api.post("/api/login", { firebaseUid: user.uid }, bearer(user.token))],
  [
    "a sign-up",
    () => {
      const body = { firebaseUid: user.uid, email: user.email, username: "ada" };
      return api.post("/api/users", body, bearer(user.token));
    },
  ],
  ["a logout everywhere", () => api.request("DELETE", "/api/sessions", user.browser)],
])("does not count %s that waits for the identity provider as work in progress", async (_title, send) => {
  const hanging = Array.from({ length: MAX_REQUESTS_IN_PROGRESS }, send);
  await eventually(() => expect(received).toBe(hanging.length));
  hanging.push(send());
  const statuses = (await Promise.all(hanging)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(received).toBe(hanging.length);
});
