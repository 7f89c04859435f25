import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { PROJECT_ID, startFirebaseApi } from "../testing/firebase-api.ts";
import { bearer } from "../testing/test-user.ts";
import { unsignedToken } from "../testing/unsigned-token.ts";
import { startWorld } from "../testing/world.ts";

let waiting = 0;
const unresponsiveProvider = createServer(({ socket }) => {
  waiting += 1;
  socket.once("close", () => {
    waiting -= 1;
  });
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
  api.requestLimit.current = 1;
  const others = waiting;
  let replies = 0;
  const sendNext = () => send().finally(() => replies++);
  const sent = [sendNext()];
  await eventually(() => expect(waiting).toBe(others + 1));
  sent.push(sendNext());
  await eventually(() => expect(waiting).toBe(others + 2));
  expect(replies).toBe(0);
  for (const { status } of await Promise.all(sent)) expect(status).toBe(503);
});
