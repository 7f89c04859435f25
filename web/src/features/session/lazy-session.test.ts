import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, hangingIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceBy, useFakeClock } from "../../testing/fake-timers.ts";
import { createLazySession } from "./lazy-session.ts";
import { rememberSignIn } from "./sign-in-memory.ts";

const ANNA = identityFor("anna@example.com");

beforeEach(() => {
  serveAccounts(ANNA.email);
});

function start(identity = fakeIdentityProvider(ANNA)) {
  const handle = createLazySession({
    loadProvider: async () => identity,
    onEnd: () => {},
    onRefused: () => {},
  });
  onTestFinished(handle.start());
  return handle;
}

const authenticated = ({ store }: ReturnType<typeof start>) =>
  expect.poll(() => store.get().isAuthenticated).toBe(true);

describe("the token of a user of the last visit", () => {
  beforeEach(() => rememberSignIn(true));

  test("waits for the provider's first report", async () => {
    const handle = start();
    expect(await handle.getToken()).toBe(`known token of ${ANNA.uid}`);
    await authenticated(handle);
  });

  test("is null after 10 seconds without a report, which may still follow", async () => {
    useFakeClock();
    const { identity, respond } = hangingIdentityProvider(ANNA);
    const handle = start(identity);
    const token = handle.getToken();
    await advanceBy(9_999);
    expect(handle.store.get().status).toBe("loading");
    await advanceBy(1);
    expect(await token).toBeNull();
    expect(handle.store.get().status).toBe("unknown");
    respond();
    await authenticated(handle);
  });
});

test("a guest is signed out at once for tokens, and after 10 seconds without a report for pages", async () => {
  useFakeClock();
  const handle = start(hangingIdentityProvider(ANNA).identity);
  expect(await handle.getToken()).toBeNull();
  handle.findStatus();
  await advanceBy(10_000);
  expect(handle.store.get().status).toBe("signed-out");
});
