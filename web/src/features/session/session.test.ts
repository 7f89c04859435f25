import { messages } from "@tapthru/proto/rules/messages";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { addUnsentChange } from "../../lib/unsent-changes.ts";
import { problem, respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  fakeIdentityProvider,
  hangingIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, networkError } from "../../testing/generate-server.ts";
import { server } from "../../testing/server.ts";
import { ProviderUnavailableError } from "./failures.ts";
import { createSessionController } from "./session.ts";
import { createSessionStore } from "./session-store.ts";
import { pendingLogout, pendingSignOut, rememberSignIn, wasSignedIn } from "./sign-in-memory.ts";

const ANNA = identityFor("anna@example.com");
const BERT = identityFor("bert@example.com");
const UNREACHABLE = providerError("auth/network-request-failed");

let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  accounts = serveAccounts(ANNA.email, BERT.email);
});

function startSession(identity = fakeIdentityProvider()) {
  const store = createSessionStore();
  const onEnd = vi.fn<() => void>();
  const onRefused = vi.fn<(message: string) => void>();
  const loadProvider = async () => identity;
  const session = createSessionController({ store, loadProvider, onEnd, onRefused });
  onTestFinished(session.start());
  return { identity, store, session, onEnd, onRefused };
}

const authenticated = (store: ReturnType<typeof createSessionStore>) =>
  expect.poll(() => store.get().isAuthenticated).toBe(true);

const logins = () => accounts.calls().filter((call) => call === "POST /api/login");

describe("the state", () => {
  test("is loading until the provider reports", async () => {
    const { store } = startSession();
    expect(store.get().status).toBe("loading");
    await expect.poll(() => store.get().status).toBe("signed-out");
  });

  test("is signed out without a provider", async () => {
    const store = createSessionStore();
    const session = createSessionController({
      store,
      loadProvider: () => Promise.reject(new ProviderUnavailableError({})),
      onEnd: () => {},
      onRefused: () => {},
    });
    onTestFinished(session.start());
    await expect.poll(() => store.get().status).toBe("signed-out");
  });

  test("is unknown while the provider of a user cannot be loaded, and is found out when it can", async () => {
    rememberSignIn(true);
    const store = createSessionStore();
    const identity = fakeIdentityProvider(ANNA);
    const loadProvider = vi.fn(async () => identity);
    loadProvider.mockRejectedValueOnce(new ProviderUnavailableError({}));
    const session = createSessionController({
      store,
      loadProvider,
      onEnd: () => {},
      onRefused: () => {},
    });
    onTestFinished(session.start());
    await expect.poll(() => store.get().status).toBe("unknown");
    expect(wasSignedIn()).toBe(true);
    dispatchEvent(new Event("online"));
    await authenticated(store);
  });

  test("has the provider's user at once, and is authenticated after the backend login", async () => {
    const { store } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().identity).toEqual(ANNA);
    expect(store.get()).toMatchObject({ status: "signed-in", isAuthenticated: false });
    await authenticated(store);
    expect(accounts.requests).toEqual([
      {
        call: "POST /api/login",
        body: { firebaseUid: ANNA.uid },
        authorization: `Bearer known token of ${ANNA.uid}`,
      },
    ]);
  });

  test("is authenticated 200 ms after the backend login", async () => {
    useFakeClock();
    const { store } = startSession(fakeIdentityProvider(ANNA));
    await advanceUntil(() => vi.getTimerCount() === 1, { stepMs: 0 });
    expect(logins()).toHaveLength(1);
    await advanceBy(199);
    expect(store.get().isAuthenticated).toBe(false);
    await advanceBy(1);
    expect(store.get().isAuthenticated).toBe(true);
  });

  test("of another user drops the changes that the previous one has not sent", async () => {
    const { identity, store } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().identity).toEqual(ANNA);
    const send = vi.fn(async () => {});
    const remove = addUnsentChange(send);
    await identity.signIn(BERT.email, "any password");
    await expect.poll(() => store.get().identity?.uid).toBe(BERT.uid);
    expect(remove()).toBe(false);
    expect(send).not.toHaveBeenCalled();
    await authenticated(store);
  });

  test("updates the name without another login", async () => {
    const { identity, store } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    await identity.setDisplayName("Anna");
    expect(store.get()).toMatchObject({ identity: { displayName: "Anna" }, isAuthenticated: true });
    expect(logins()).toHaveLength(1);
  });
});

describe("the backend login", () => {
  test("runs once for concurrent and later callers", async () => {
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().identity).toEqual(ANNA);
    await Promise.all([session.authenticate(), session.authenticate(), session.renew()]);
    await session.authenticate();
    expect(logins()).toHaveLength(1);
  });

  test.each([
    ["429", errorReply(429, "Too many requests.")],
    ["503", errorReply(503, "Unavailable")],
    ["a lost reply", networkError],
  ])("is retried once after %s", async (_case, reply) => {
    useFakeClock();
    const repliesSent = respondOnceWith("post", "/api/login", reply);
    const { store } = startSession(fakeIdentityProvider(ANNA));
    await advanceUntil(() => store.get().isAuthenticated);
    expect(repliesSent()).toBe(1);
  });

  test("is repeated after half a minute if it fails for a while", async () => {
    useFakeClock();
    const warnings = catchLogs("warn");
    const unavailable = errorReply(503, "Unavailable");
    respondOnceWith("post", "/api/login", unavailable, unavailable);
    const { store } = startSession(fakeIdentityProvider(ANNA));
    await advanceUntil(() => store.get().isAuthenticated);
    expect(warnings()).toEqual(["Error: Failed to login with backend"]);
  });

  test("fails after the retry, which is only logged", async () => {
    useFakeClock();
    const warnings = catchLogs("warn");
    const unavailable = errorReply(503, "Unavailable");
    const repliesSent = respondOnceWith("post", "/api/login", unavailable, unavailable);
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await advanceUntil(() => repliesSent() === 2);
    await expect.poll(warnings).toEqual(["Error: Failed to login with backend"]);
    expect(store.get()).toMatchObject({ status: "signed-in", isAuthenticated: false });

    session.authenticate();
    await advanceUntil(() => store.get().isAuthenticated);
  });

  test("is not retried after 403", async () => {
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("post", "/api/login", errorReply(403, "No."), errorReply(403, "No."));
    startSession(fakeIdentityProvider(ANNA));
    await expect.poll(warnings).toEqual(["Error: Failed to login with backend"]);
    expect(repliesSent()).toBe(1);
  });

  test("is retried with a fresh token if the token is refused", async () => {
    respondOnceWith("post", "/api/login", errorReply(401, "Your login could not be verified."));
    const { store } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    expect(accounts.requests.at(-1)?.authorization).toBe(`Bearer fresh token of ${ANNA.uid}`);
  });

  test.each(["auth/user-token-expired", "auth/user-disabled", "auth/user-not-found", "auth/invalid-refresh-token"])(
    "signs out if the provider refuses a fresh token: %s",
    async (code) => {
      const warnings = catchLogs("warn");
      respondOnceWith("post", "/api/login", errorReply(401, "Your login could not be verified."));
      const identity = fakeIdentityProvider(ANNA);
      const getToken = vi.spyOn(identity, "getToken");
      getToken.mockResolvedValueOnce("revoked").mockRejectedValueOnce(providerError(code));
      const { store } = startSession(identity);
      await expect.poll(() => store.get().status).toBe("signed-out");
      await expect.poll(warnings).toEqual([`Error: Firebase: Error (${code}).`]);
    },
  );

  test.each([
    ["sign-up-closed", messages.signUpClosed],
    [
      "invitation-invalid",
      "You need an invitation to create an account here. Open the link that you got from the operator of this site.",
    ],
  ] as const)("signs out a user whose account was refused, and shows the reason: %s", async (code, reason) => {
    const warnings = catchLogs("warn");
    respondOnceWith("post", "/api/users", () => problem(code));
    const identity = fakeIdentityProvider(identityFor("clara@example.com"));
    const signOut = vi.spyOn(identity, "signOut");
    const { store, onRefused } = startSession(identity);
    await expect.poll(() => onRefused.mock.calls).toEqual([[reason]]);
    expect(signOut).toHaveBeenCalledExactlyOnceWith({ isLocal: true });
    expect(store.get().status).toBe("signed-out");
    expect(warnings()).toEqual(["Error: Failed to sync user with backend"]);
  });

  test("fails after 5 seconds if the provider neither issues a token nor signs out", async () => {
    useFakeClock();
    const warnings = catchLogs("warn");
    respondOnceWith("post", "/api/login", errorReply(401, "Your login could not be verified."));
    const identity = fakeIdentityProvider(ANNA);
    const getToken = vi.spyOn(identity, "getToken");
    const failure = providerError("auth/user-disabled");
    getToken.mockResolvedValueOnce("revoked").mockRejectedValueOnce(failure);
    const signOut = vi.spyOn(identity, "signOut").mockReturnValue(new Promise(() => {}));
    startSession(identity);
    await advanceUntil(() => signOut.mock.calls.length > 0, { stepMs: 0 });
    await advanceBy(4_999);
    expect(warnings()).toEqual([]);
    await advanceBy(1);
    expect(warnings()).toEqual([`Error: ${failure.message}`]);
  });

  test("uses an existing session if the provider is unreachable", async () => {
    const user = {
      id: 1,
      username: "Anna",
      email: ANNA.email,
      createdAt: "2026-11-20T08:00:00.000Z",
      isOperator: false,
    };
    server.use(http.get(`/api/users/${ANNA.uid}`, () => HttpResponse.json(user)));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockRejectedValue(UNREACHABLE);
    const { store, session } = startSession(identity);
    await authenticated(store);
    expect(await session.getToken()).toBeNull();
    expect(logins()).toEqual([]);
  });

  test("fails if the provider is unreachable and there is no session", async () => {
    const warnings = catchLogs("warn");
    server.use(http.get(`/api/users/${ANNA.uid}`, errorReply(404, "There is no account.")));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockRejectedValue(UNREACHABLE);
    const { store, session } = startSession(identity);
    await expect.poll(warnings).toEqual(["Error: Failed to login with backend"]);
    expect(store.get()).toMatchObject({ identity: ANNA, isAuthenticated: false });
    await expect(session.getToken()).rejects.toBe(UNREACHABLE);
  });

  test("stays signed in if the provider is unreachable for a fresh token", async () => {
    const warnings = catchLogs("warn");
    respondOnceWith("post", "/api/login", errorReply(401, "Your login could not be verified."));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockResolvedValueOnce("old").mockRejectedValueOnce(UNREACHABLE);
    const { store } = startSession(identity);
    await expect.poll(warnings).toHaveLength(1);
    expect(store.get().status).toBe("signed-in");
  });
});

describe("a user unknown to the backend", () => {
  const names = () => [...accounts.users.values()].map(({ username }) => username);

  test.each([
    ["the display name", { displayName: "Clara" }, "Clara"],
    ["the email's local part if there is no display name", { displayName: null }, "clara"],
  ])("is created with %s", async (_case, changes, username) => {
    const { store } = startSession(fakeIdentityProvider({ ...identityFor("clara@example.com"), ...changes }));
    await authenticated(store);
    expect(names()).toContain(username);
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/users", "POST /api/login"]);
  });

  test("gets 4 digits appended to a taken name", async () => {
    const clara = { ...identityFor("clara@example.com"), displayName: ANNA.email };
    const { store } = startSession(fakeIdentityProvider(clara));
    await authenticated(store);
    expect(names().at(-1)).toMatch(/^anna@example[.]com\d{4}$/);
  });

  test("gets 4 digits appended to a name that is too short", async () => {
    const { store } = startSession(fakeIdentityProvider(identityFor("bo@example.com")));
    await authenticated(store);
    expect(names().at(-1)).toMatch(/^bo\d{4}$/);
  });

  test("gets a name of at most 50 characters", async () => {
    const long = identityFor(`${"x".repeat(60)}@example.com`);
    const { store } = startSession(fakeIdentityProvider(long));
    await authenticated(store);
    expect(names().at(-1)).toBe("x".repeat(50));
  });

  test("is not created if another user has the email", async () => {
    const warnings = catchLogs("warn");
    const duplicate = { ...ANNA, uid: "another", displayName: "Double" };
    const { store } = startSession(fakeIdentityProvider(duplicate));
    await expect.poll(warnings).toEqual(["Error: Failed to sync user with backend"]);
    expect(store.get().isAuthenticated).toBe(false);
  });
});

describe("a sign-out", () => {
  // Specification 8.24
  test("by another tab clears cached data and ends the backend session, which may have been renewed", async () => {
    const { identity, store, onEnd } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    identity.setIdentity(null);
    expect(store.get()).toMatchObject({
      status: "signed-out",
      identity: null,
      isAuthenticated: false,
    });
    expect(onEnd).toHaveBeenCalledOnce();
    await expect.poll(accounts.calls).toEqual(["POST /api/login", "POST /api/logout"]);
  });

  test("during the backend login ends the session that it opens", async () => {
    const received = vi.fn<() => void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(
      http.post("/api/login", async () => {
        received();
        await released;
        return undefined;
      }),
    );
    const { identity, store } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => received).toHaveBeenCalledOnce();
    identity.setIdentity(null);
    await expect.poll(accounts.calls).toEqual(["POST /api/logout"]);
    release();
    await expect.poll(accounts.calls).toEqual(["POST /api/logout", "POST /api/login", "POST /api/logout"]);
    expect(store.get().isAuthenticated).toBe(false);
  });

  test("by logging out calls the backend first, then the provider", async () => {
    const { identity, store, session, onEnd } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    vi.spyOn(identity, "signOut").mockImplementation(async () => {
      expect(accounts.calls().at(-1)).toBe("POST /api/logout");
      expect(store.get().isLoggingOut).toBe(true);
      identity.setIdentity(null);
    });
    await session.logOut();
    expect(store.get()).toMatchObject({ status: "signed-out", isLoggingOut: true });
    expect(onEnd).toHaveBeenCalledOnce();
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/logout"]);
  });

  test("is retried until the backend confirms it", async () => {
    const warnings = catchLogs("warn");
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    useFakeClock();
    const repliesSent = respondOnceWith(
      "post",
      "/api/logout",
      errorReply(503, "Unavailable"),
      errorReply(503, "Unavailable"),
    );
    const loggedOut = session.logOut();
    await advanceUntil(() => repliesSent() === 2);
    await loggedOut;
    expect(store.get().status).toBe("signed-out");
    expect(accounts.calls()).not.toContain("POST /api/logout");
    await advanceUntil(() => accounts.calls().includes("POST /api/logout"));
    expect(warnings()).toHaveLength(2);
  });

  test("without confirmation by the backend is retried at the next visit", async () => {
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith("post", "/api/logout", errorReply(503, "Unavailable"), networkError);
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    await session.logOut();
    await expect.poll(repliesSent).toBe(2);
    startSession();
    await expect.poll(accounts.calls).toContain("POST /api/logout");
    expect(warnings()).toHaveLength(2);
  });

  test("without confirmation by the backend is not applied to the next login", async () => {
    const warnings = catchLogs("warn");
    const repliesSent = respondOnceWith(
      "post",
      "/api/logout",
      errorReply(503, "Unavailable"),
      errorReply(503, "Unavailable"),
    );
    const { identity, store, session } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    await session.logOut();
    await expect.poll(repliesSent).toBe(2);
    expect(pendingLogout.get()).toBe(true);
    identity.setIdentity(BERT);
    await authenticated(store);
    expect(pendingLogout.get()).toBe(false);
    expect(warnings()).toHaveLength(2);
  });

  test("is followed by the next user's own login", async () => {
    const { identity, store, onEnd } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    identity.setIdentity(BERT);
    expect(store.get()).toMatchObject({ identity: BERT, isAuthenticated: false });
    expect(onEnd).toHaveBeenCalledOnce();
    await authenticated(store);
    expect(accounts.requests.at(-1)?.body).toEqual({ firebaseUid: BERT.uid });
  });
});

describe("a logout that the provider does not confirm", () => {
  /** A user of this tab has logged out, and the provider still stores them. */
  async function logOutUnconfirmed() {
    useFakeClock();
    const { identity, respond } = hangingIdentityProvider(ANNA);
    const started = startSession(identity);
    let isDone = false;
    const logout = started.session.logOut().then(() => {
      isDone = true;
    });
    await advanceUntil(() => isDone);
    await logout;
    return { ...started, respond };
  }

  test("ends after 5 seconds, signed out", async () => {
    useFakeClock();
    const { store, session } = startSession(hangingIdentityProvider(ANNA).identity);
    const onDone = vi.fn<() => void>();
    session.logOut().then(onDone);
    await advanceUntil(() => vi.getTimerCount() === 1, { stepMs: 0 });
    expect(accounts.calls()).toEqual(["POST /api/logout"]);
    await advanceBy(4_999);
    expect(onDone).not.toHaveBeenCalled();
    await advanceBy(1);
    expect(onDone).toHaveBeenCalledOnce();
    expect(store.get()).toMatchObject({
      status: "signed-out",
      identity: null,
      isAuthenticated: false,
    });
    expect(wasSignedIn()).toBe(false);
  });

  test("clears the data of a user whom the provider has reported", async () => {
    const { identity, store, session, onEnd } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    useFakeClock();
    vi.spyOn(identity, "signOut").mockReturnValueOnce(new Promise(() => {}));
    session.logOut();
    await advanceUntil(() => store.get().status === "signed-out");
    expect(onEnd).toHaveBeenCalledOnce();
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/logout"]);
  });

  test("is completed as soon as the provider responds, without another login", async () => {
    const { identity, store, respond } = await logOutUnconfirmed();
    expect(pendingSignOut.get()).toBe(true);
    respond();
    await expect.poll(() => pendingSignOut.get()).toBe(false);
    expect(identity.current()).toBeNull();
    expect(store.get().status).toBe("signed-out");
    expect(logins()).toEqual([]);
  });

  test("is completed at the next visit, without another login", async () => {
    await logOutUnconfirmed();
    const { identity, store } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().status).toBe("signed-out");
    await expect.poll(() => identity.current()).toBeNull();
    expect(pendingSignOut.get()).toBe(false);
    expect(logins()).toEqual([]);
    expect(wasSignedIn()).toBe(false);
  });

  test("signs out the other tabs", async () => {
    const other = startSession(fakeIdentityProvider(ANNA));
    await authenticated(other.store);
    await logOutUnconfirmed();
    dispatchEvent(new StorageEvent("storage"));
    expect(other.store.get()).toMatchObject({ status: "signed-out", identity: null });
    await expect.poll(() => other.identity.current()).toBeNull();
  });

  test("does not end a later login of the same user by a form", async () => {
    await logOutUnconfirmed();
    const { identity, store, session } = startSession(fakeIdentityProvider(ANNA));
    const release = session.lock();
    await session.logInToBackend(await identity.signIn(ANNA.email, "secret1"));
    release();
    await authenticated(store);
    expect(identity.current()).toEqual(ANNA);
    expect(pendingSignOut.get()).toBe(false);
  });
});

describe("a logout before the provider has reported its user", () => {
  test("does not log in to the backend again", async () => {
    const { identity, respond } = hangingIdentityProvider(ANNA);
    const { store, session } = startSession(identity);
    const loggedOut = session.logOut();
    await expect.poll(accounts.calls).toEqual(["POST /api/logout"]);
    respond();
    await loggedOut;
    expect(store.get()).toMatchObject({ status: "signed-out", identity: null });
    expect(accounts.calls()).toEqual(["POST /api/logout"]);
  });

  test("and that fails logs in to the backend", async () => {
    const { identity, respond } = hangingIdentityProvider(ANNA);
    const { store, session } = startSession(identity);
    const failure = providerError("auth/internal-error");
    vi.spyOn(identity, "signOut").mockRejectedValueOnce(failure);
    respond();
    await expect(session.logOut()).rejects.toBe(failure);
    await authenticated(store);
    expect(accounts.calls()).toEqual(["POST /api/logout", "POST /api/login"]);
  });
});

describe("a backend login that ends during a logout", () => {
  test("does not leave a session, even if the provider has not signed out yet", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const received = vi.fn<() => void>();
    server.use(
      http.post("/api/login", async () => {
        received();
        await released;
        return undefined;
      }),
    );
    const { identity, session } = startSession(fakeIdentityProvider(ANNA));
    await expect.poll(() => received).toHaveBeenCalledOnce();
    const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
    vi.spyOn(identity, "signOut").mockReturnValueOnce(confirmed);
    const loggedOut = session.logOut();
    await expect.poll(accounts.calls).toEqual(["POST /api/logout"]);
    release();
    await expect.poll(accounts.calls).toEqual(["POST /api/logout", "POST /api/login", "POST /api/logout"]);
    confirm();
    await loggedOut;
  });
});

describe("renewing", () => {
  test("logs in again while the user stays authenticated", async () => {
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    const renewed = Promise.all([session.renew(), session.renew()]);
    expect(store.get().isAuthenticated).toBe(true);
    expect(await renewed).toEqual([true, true]);
    expect(logins()).toHaveLength(2);
  });

  test("reports a failure", async () => {
    const warnings = catchLogs("warn");
    const { store, session } = startSession(fakeIdentityProvider(ANNA));
    await authenticated(store);
    respondOnceWith("post", "/api/login", errorReply(403, "No."));
    expect(await session.renew()).toBe(false);
    expect(warnings()).toEqual(["Error: Failed to login with backend"]);
  });

  test("does nothing when signed out or logging out", async () => {
    const { identity, store, session } = startSession();
    await expect.poll(() => store.get().status).toBe("signed-out");
    expect(await session.renew()).toBe(false);

    identity.setIdentity(ANNA);
    await authenticated(store);
    store.set({ isLoggingOut: true });
    expect(await session.renew()).toBe(false);
    expect(logins()).toHaveLength(1);
  });
});

describe("a lock", () => {
  test("freezes the state, and the form's login is not repeated afterwards", async () => {
    const { identity, store, session } = startSession();
    await expect.poll(() => store.get().status).toBe("signed-out");
    const release = session.lock();
    identity.setIdentity(ANNA);
    expect(store.get().status).toBe("signed-out");
    await session.logInToBackend(ANNA);
    release();
    expect(store.get()).toMatchObject({ status: "signed-in", identity: ANNA });
    await authenticated(store);
    expect(logins()).toHaveLength(1);
  });

  test("that is never released still records the sign-in for the next visit", async () => {
    const { identity, store, session } = startSession();
    await expect.poll(() => store.get().status).toBe("signed-out");
    session.lock();
    expect(wasSignedIn()).toBe(false);
    identity.setIdentity(ANNA);
    expect(wasSignedIn()).toBe(true);
  });
});

describe("the token", () => {
  test("is null when signed out", async () => {
    expect(await startSession().session.getToken()).toBeNull();
  });
});
