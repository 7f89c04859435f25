import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { HttpError } from "../../lib/http/http-client.ts";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink, networkError } from "../../testing/generate-server.ts";
import { heldReplies, respondOnceWith, serve } from "../../testing/serve.ts";
import { ProviderUnavailableError } from "./failures.ts";
import { createSession } from "./session.ts";
import { pendingLogout, RETURNING, rememberSignIn, wasSignedIn } from "./sign-in-memory.ts";
import { readPendingLinks, storeLink } from "./stored-links.ts";

const ANNA = identityFor("anna@example.com");
const BERT = identityFor("bert@example.com");

let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  accounts = serveAccounts(ANNA.email, BERT.email);
});

function startSession(identity: FakeIdentityProvider | "unavailable" = fakeIdentityProvider()) {
  const onEnd = vi.fn<() => void>();
  const onClaimed = vi.fn<() => void>();
  const onRefused = vi.fn<(error: unknown) => void>();
  const session = createSession({
    loadProvider: async () => {
      if (identity === "unavailable") throw new ProviderUnavailableError({});
      return identity;
    },
    onEnd,
    onClaimed,
    onRefused,
  });
  onTestFinished(session.start());
  return { session, onEnd, onClaimed, onRefused };
}

type Session = ReturnType<typeof createSession>;
const authenticated = (session: Session) => expect.poll(() => session.get().isAuthenticated).toBe(true);
const isSignedOut = (session: Session) => expect.poll(() => session.get().status).toBe("signed-out");

/** A user who was signed in at the last visit, and still is at the provider. */
function returningUser() {
  rememberSignIn(ANNA.uid);
  return fakeIdentityProvider(ANNA);
}
const hasEnded = (session: Session) => expect.poll(() => session.get().hasEnded).toBe(true);
const loseSession = () => serve("GET /api/session", () => ({ login: null }));

/** Starts the session of this user, and waits until it is open. */
async function open(identity = returningUser()) {
  const started = startSession(identity);
  await authenticated(started.session);
  return { identity, ...started };
}

describe("who is signed in", () => {
  test("does not ask who a guest is until a page needs to know", async () => {
    const { session } = startSession();
    expect(await session.headers()).toBeNull();
    expect(session.get().status).toBe("loading");
    await session.find();
    expect(session.get().status).toBe("signed-out");
  });

  test("the api says who is signed in, also without the provider", async () => {
    returningUser();
    const { session } = startSession("unavailable");
    await authenticated(session);
    expect(session.get()).toMatchObject({ status: "signed-in", identity: ANNA, user: { username: ANNA.email } });
  });

  // Specification 9
  test("fetches a user's data 200 ms later", async () => {
    useFakeClock();
    const { session } = startSession(returningUser());
    await advanceUntil(() => session.get().status === "signed-in", { stepMs: 0 });
    await advanceBy(199);
    expect(session.get().isAuthenticated).toBe(false);
    await advanceBy(1);
    expect(session.get().isAuthenticated).toBe(true);
  });

  test.each([
    ["failed", errorReply(503, "Unavailable")],
    ["unknown", networkError],
  ])("the user is %s after two failures, and asked for again when the browser is online", async (outcome, reply) => {
    useFakeClock();
    const warnings = catchLogs("warn");
    const identity = returningUser();
    const repliesSent = respondOnceWith("GET /api/session", reply, reply);
    const { session } = startSession(identity);
    await advanceUntil(() => session.get().status === outcome);
    expect([repliesSent(), wasSignedIn()]).toEqual([2, true]);
    dispatchEvent(new Event("online"));
    await advanceUntil(() => session.get().isAuthenticated);
    expect(warnings()).toHaveLength(1);
  });

  test("claims the links that were created while signed out, and says so", async () => {
    storeLink(generatedLink({ shortCode: "kept222" }));
    const { onClaimed } = await open();
    await expect.poll(() => onClaimed.mock.calls).toHaveLength(1);
    expect(readPendingLinks()).toEqual([]);
    expect(accounts.calls()).toEqual(["POST /api/links/bulk/claim"]);
  });
});

describe("a session that was lost", () => {
  test("the provider opens a lost session again at the next visit, once for all requests", async () => {
    const identity = returningUser();
    loseSession();
    const { session } = await open(identity);
    const restore = vi.spyOn(identity, "restore");
    expect(await Promise.all([session.renew(), session.renew()])).toEqual([true, true]);
    expect(session.get().isAuthenticated).toBe(true);
    expect(restore).toHaveBeenCalledOnce();
  });

  test("a lost session whose login has ended too makes no page a guest's until the user says so", async () => {
    const { identity, session, onEnd } = await open();
    await identity.signOut(null);
    const { session: next } = startSession(identity);
    await next.find();
    expect(next.get()).toMatchObject({ status: "signed-out", hasEnded: true });
    dispatchEvent(new StorageEvent("storage"));
    await hasEnded(session);
    expect(session.get()).toMatchObject({ status: "signed-in", identity: ANNA });
    const headers = [session.headers(), next.headers()];
    expect(onEnd).not.toHaveBeenCalled();
    session.leave();
    expect(session.get()).toMatchObject({ identity: null, user: null, isAuthenticated: false, hasEnded: false });
    expect(onEnd).toHaveBeenCalledOnce();
    dispatchEvent(new StorageEvent("storage"));
    await expect(headers[0]).rejects.toThrow("Their user has left the page.");
    expect(await headers[1]).toBeNull();
    expect([next.get().hasEnded, wasSignedIn()]).toEqual([false, false]);
  });

  test("makes the page a guest's if a login at an OpenID provider was not completed", async () => {
    rememberSignIn(RETURNING);
    const { session } = startSession();
    await isSignedOut(session);
    expect([session.get().hasEnded, wasSignedIn()]).toEqual([false, false]);
  });

  test("renews no session for guests, while logging out, or after a failure", async () => {
    const guest = startSession();
    expect(await guest.session.renew()).toBe(false);
    const { identity, session } = await open();
    const warnings = catchLogs("warn");
    vi.spyOn(identity, "restore").mockRejectedValueOnce(new HttpError(403, "No."));
    expect(await session.renew()).toBe(false);
    expect(warnings()).toEqual(["HttpError: 403: No."]);
    session.set({ isLoggingOut: true });
    expect(await session.renew()).toBe(false);
  });

  test("ends again if another tab has logged out meanwhile", async () => {
    const identity = returningUser();
    loseSession();
    const { restore } = identity;
    vi.spyOn(identity, "restore").mockImplementation(async () => {
      rememberSignIn(null);
      return restore();
    });
    const { session } = startSession(identity);
    await isSignedOut(session);
    expect(accounts.calls()).toEqual(["POST /api/logout"]);
  });

  test("signs out a user whose account was refused, and says why", async () => {
    const warnings = catchLogs("warn");
    const identity = returningUser();
    loseSession();
    const refusal = new HttpError(403, "No.", "sign-up-closed");
    vi.spyOn(identity, "restore").mockRejectedValue(refusal);
    const { session, onRefused } = startSession(identity);
    await isSignedOut(session);
    expect(onRefused.mock.calls).toEqual([[refusal]]);
    expect(warnings()).toHaveLength(1);
  });
});

describe("another tab", () => {
  test("signs in and out, and changes the user", async () => {
    const identity = fakeIdentityProvider();
    const { session, onEnd } = startSession(identity);
    identity.setIdentity(ANNA);
    await authenticated(session);
    identity.setIdentity(BERT);
    await expect.poll(() => session.get().identity).toEqual(BERT);
    expect(onEnd).toHaveBeenCalledOnce();
    await authenticated(session);
    identity.setIdentity(null);
    await hasEnded(session);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test("a page kept for the browser's 'Back' button follows a logout in another tab on return", async () => {
    const { session } = await open();
    rememberSignIn(null);
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    await hasEnded(session);
  });

  test("another tab that renames the user does not bring back the earlier name", async () => {
    const { identity, session } = await open();
    const { released, release } = heldReplies();
    const login = await identity.restore();
    serve("GET /api/session", () => released.then(() => ({ login })));
    const found = session.find();
    const { user } = session.get();
    if (user) session.set({ user: { ...user, username: "Anna" } });
    release();
    await found;
    expect(session.get().user?.username).toBe("Anna");
  });
});

describe("a logout", () => {
  // Specification 8.17, 8.24
  test("calls the backend first, then the provider, and clears cached data", async () => {
    const { identity, session, onEnd } = await open();
    const { signOut } = identity;
    vi.spyOn(identity, "signOut").mockImplementation(async () => {
      expect(accounts.calls()).toEqual(["POST /api/logout"]);
      expect(session.get().isLoggingOut).toBe(true);
      await signOut();
    });
    await session.logOut();
    expect(session.get()).toMatchObject({ status: "signed-out", isLoggingOut: true });
    expect(onEnd).toHaveBeenCalledOnce();
    expect(wasSignedIn()).toBe(false);
  });

  test("a reply about who is signed in does not undo a logout in the meantime", async () => {
    const { released, release } = heldReplies();
    const identity = returningUser();
    const login = await identity.restore();
    serve("GET /api/session", () => released.then(() => ({ login })));
    const { session } = startSession(identity);
    await session.logOut();
    const found = session.find();
    release();
    await found;
    expect(session.get().status).toBe("signed-out");
    expect(wasSignedIn()).toBe(false);
  });

  test("completes a logout that the backend did not confirm at the next visit", async () => {
    const warnings = catchLogs("warn");
    const { session } = await open();
    respondOnceWith("POST /api/logout", errorReply(503, "Unavailable"), networkError);
    await session.logOut();
    expect(session.get().status).toBe("signed-out");
    const next = startSession().session;
    await isSignedOut(next);
    expect(accounts.calls()).toEqual([]);
    dispatchEvent(new Event("online"));
    await expect.poll(accounts.calls).toEqual(["POST /api/logout"]);
    expect(warnings()).toHaveLength(2);
  });

  test("does not apply a logout that the backend did not confirm to the next login", async () => {
    const warnings = catchLogs("warn");
    const { identity, session } = await open();
    respondOnceWith("POST /api/logout", errorReply(503, "Unavailable"));
    await session.logOut();
    expect(pendingLogout.get()).toBe(true);
    await session.adopt(await identity.logIn(BERT.email, "secret1"));
    expect(pendingLogout.get()).toBe(false);
    expect(warnings()).toHaveLength(1);
  });

  test("a logout ends after 5 seconds without a reply of the provider, and does not ask it for the user again", async () => {
    const { identity, session } = await open();
    useFakeClock();
    vi.spyOn(identity, "signOut").mockReturnValue(new Promise(() => {}));
    const onDone = vi.fn<() => void>();
    session.logOut().then(onDone);
    await advanceUntil(() => vi.getTimerCount() === 1, { stepMs: 0 });
    await advanceBy(4_999);
    expect(onDone).not.toHaveBeenCalled();
    await advanceBy(1);
    expect(onDone).toHaveBeenCalledOnce();
    loseSession();
    await session.find();
    expect(session.get().status).toBe("signed-out");
  });
});

test("the token of a provider that has one is sent with what also works without a session", async () => {
  const identity = returningUser();
  const { session } = startSession(identity);
  expect(await session.headers()).toEqual({ [ACCOUNT_HEADER]: "1" });
  vi.spyOn(identity, "getToken").mockResolvedValue("token");
  expect(await session.headers()).toEqual({ [ACCOUNT_HEADER]: "1", Authorization: "Bearer token" });
});

test("a link that a guest created is kept, and claimed if they have logged in meanwhile", async () => {
  const identity = fakeIdentityProvider();
  const { session } = startSession(identity);
  await session.keepLink(generatedLink({ shortCode: "kept222" }));
  expect(readPendingLinks()).toMatchObject([{ shortCode: "kept222" }]);
  await session.adopt(await identity.logIn(ANNA.email, "secret1"));
  await session.keepLink(generatedLink({ shortCode: "kept333" }));
  expect(accounts.requests.filter(({ call }) => call === "POST /api/links/bulk/claim").at(-1)?.body).toMatchObject({
    shortCodes: expect.arrayContaining(["kept333"]),
  });
});
