import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import {
  fakeIdentityProvider,
  identityFor,
  providerError,
} from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { failure, networkError } from "../../testing/generate-server.ts";
import { server } from "../../testing/server.ts";
import { pendingLogout } from "./end-backend-session.ts";
import { ProviderUnavailableError } from "./failures.ts";
import { createSession } from "./session.ts";
import { createSessionStore } from "./session-store.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const ANNA = identityFor("anna@example.com");
const BERT = identityFor("bert@example.com");
const UNREACHABLE = providerError("auth/network-request-failed");

let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  accounts = serveAccounts(ANNA.email, BERT.email);
});

function follow(identity = fakeIdentityProvider()) {
  const store = createSessionStore();
  const onEnd = vi.fn<() => void>();
  const session = createSession({ store, loadProvider: async () => identity, onEnd });
  onTestFinished(session.start());
  return { identity, store, session, onEnd };
}

const settled = (store: ReturnType<typeof createSessionStore>) =>
  expect.poll(() => store.get().isAuthenticated).toBe(true);

const logins = () => accounts.calls().filter((call) => call === "POST /api/login");

describe("the state", () => {
  test("is loading until the provider knows", async () => {
    const { store } = follow();
    expect(store.get().status).toBe("loading");
    await expect.poll(() => store.get().status).toBe("signed-out");
  });

  test("is signed out where there is no provider", async () => {
    const store = createSessionStore();
    const session = createSession({
      store,
      loadProvider: () => Promise.reject(new ProviderUnavailableError()),
      onEnd: () => {},
    });
    session.start();
    await expect.poll(() => store.get().status).toBe("signed-out");
  });

  test("has a user as soon as the provider has, who is authenticated 200 ms after the login", async () => {
    const { store } = follow(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().user).toEqual(ANNA);
    expect(store.get()).toMatchObject({ status: "signed-in", isAuthenticated: false });
    await settled(store);
    expect(accounts.seen).toEqual([
      {
        call: "POST /api/login",
        body: { firebaseUid: ANNA.uid },
        authorization: `Bearer known token of ${ANNA.uid}`,
      },
    ]);
  });

  test("waits 200 ms between the login and authenticated", async () => {
    const times: number[] = [];
    server.use(
      http.post("/api/login", () => {
        times.push(performance.now());
      }),
    );
    const { store } = follow(fakeIdentityProvider(ANNA));
    store.subscribe(() => {
      if (store.get().isAuthenticated) times.push(performance.now());
    });
    await settled(store);
    const [loggedInAt = 0, authenticatedAt = 0] = times;
    // Timers may be a millisecond early.
    expect(authenticatedAt - loggedInAt).toBeGreaterThanOrEqual(199);
  });

  test("follows a change of the name without another login", async () => {
    const { identity, store } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    await identity.setDisplayName("Anna");
    expect(store.get()).toMatchObject({ user: { displayName: "Anna" }, isAuthenticated: true });
    expect(logins()).toHaveLength(1);
  });
});

describe("the login to the backend", () => {
  test("is one, whoever asks for it meanwhile and afterwards", async () => {
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().user).toEqual(ANNA);
    await Promise.all([session.authenticate(), session.authenticate(), session.renew()]);
    await session.authenticate();
    expect(logins()).toHaveLength(1);
  });

  test.each([
    ["429", failure(429, "Too many requests.")],
    ["503", failure(503, "Away")],
    ["a lost reply", networkError],
  ])("is tried once more after %s", async (_case, reply) => {
    useFakeClock();
    const refused = respondOnceWith("post", "/api/login", reply);
    const { store } = follow(fakeIdentityProvider(ANNA));
    await advanceUntil(() => store.get().isAuthenticated);
    expect(refused()).toBe(1);
  });

  test("fails after the second of two such answers, which is only logged", async () => {
    useFakeClock();
    const warned = catchLogs("warn");
    const away = failure(503, "Away");
    const refused = respondOnceWith("post", "/api/login", away, away);
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await advanceUntil(() => refused() === 2);
    await expect.poll(warned).toEqual(["Error: Failed to login with backend"]);
    expect(store.get()).toMatchObject({ status: "signed-in", isAuthenticated: false });

    session.authenticate();
    await advanceUntil(() => store.get().isAuthenticated);
  });

  test("is not tried again after 403", async () => {
    const warned = catchLogs("warn");
    const refused = respondOnceWith("post", "/api/login", failure(403, "No."), failure(403, "No."));
    follow(fakeIdentityProvider(ANNA));
    await expect.poll(warned).toEqual(["Error: Failed to login with backend"]);
    expect(refused()).toBe(1);
  });

  test("with a token that is refused is made with a fresh one", async () => {
    respondOnceWith("post", "/api/login", failure(401, "Your login could not be verified."));
    const { store } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    expect(accounts.seen.at(-1)?.authorization).toBe(`Bearer fresh token of ${ANNA.uid}`);
  });

  test.each([
    "auth/user-token-expired",
    "auth/user-disabled",
    "auth/user-not-found",
    "auth/invalid-refresh-token",
  ])("ends the sign-in where the provider gives no fresh token: %s", async (code) => {
    const warned = catchLogs("warn");
    respondOnceWith("post", "/api/login", failure(401, "Your login could not be verified."));
    const identity = fakeIdentityProvider(ANNA);
    const getToken = vi.spyOn(identity, "getToken");
    getToken.mockResolvedValueOnce("revoked").mockRejectedValueOnce(providerError(code));
    const { store } = follow(identity);
    await expect.poll(() => store.get().status).toBe("signed-out");
    await expect.poll(warned).toEqual([`Error: Firebase: Error (${code}).`]);
  });

  test("goes by the session that is there where the provider cannot be reached for a token", async () => {
    const user = {
      id: 1,
      username: "Anna",
      email: ANNA.email,
      createdAt: "2026-11-20T08:00:00.000Z",
    };
    server.use(http.get(`/api/users/${ANNA.uid}`, () => HttpResponse.json(user)));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockRejectedValue(UNREACHABLE);
    const { store, session } = follow(identity);
    await settled(store);
    expect(await session.getToken()).toBeNull();
    expect(logins()).toEqual([]);
  });

  test("fails where the provider cannot be reached and there is no session", async () => {
    const warned = catchLogs("warn");
    server.use(http.get(`/api/users/${ANNA.uid}`, failure(404, "There is no account.")));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockRejectedValue(UNREACHABLE);
    const { store, session } = follow(identity);
    await expect.poll(warned).toEqual(["Error: Failed to login with backend"]);
    expect(store.get()).toMatchObject({ user: ANNA, isAuthenticated: false });
    await expect(session.getToken()).rejects.toBe(UNREACHABLE);
  });

  test("keeps the sign-in where the provider cannot be reached for a fresh token", async () => {
    const warned = catchLogs("warn");
    respondOnceWith("post", "/api/login", failure(401, "Your login could not be verified."));
    const identity = fakeIdentityProvider(ANNA);
    vi.spyOn(identity, "getToken").mockResolvedValueOnce("old").mockRejectedValueOnce(UNREACHABLE);
    const { store } = follow(identity);
    await expect.poll(warned).toHaveLength(1);
    expect(store.get().status).toBe("signed-in");
  });
});

describe("a user whom the backend does not know", () => {
  const names = () => [...accounts.users.values()].map(({ username }) => username);

  test.each([
    ["the display name", { displayName: "Clara" }, "Clara"],
    ["else by the e-mail's local part", { displayName: null }, "clara"],
  ])("is made by %s", async (_case, changes, username) => {
    const { store } = follow(
      fakeIdentityProvider({ ...identityFor("clara@example.com"), ...changes }),
    );
    await settled(store);
    expect(names()).toContain(username);
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/users", "POST /api/login"]);
  });

  test("has 4 digits behind a name that is taken", async () => {
    const clara = { ...identityFor("clara@example.com"), displayName: ANNA.email };
    const { store } = follow(fakeIdentityProvider(clara));
    await settled(store);
    expect(names().at(-1)).toMatch(/^anna@example[.]com\d{4}$/);
  });

  test("has 4 digits behind a name that is too short", async () => {
    const { store } = follow(fakeIdentityProvider(identityFor("bo@example.com")));
    await settled(store);
    expect(names().at(-1)).toMatch(/^bo\d{4}$/);
  });

  test("has a name of at most 50 characters", async () => {
    const long = identityFor(`${"x".repeat(60)}@example.com`);
    const { store } = follow(fakeIdentityProvider(long));
    await settled(store);
    expect(names().at(-1)).toBe("x".repeat(50));
  });

  test("stays unknown where the e-mail is another's", async () => {
    const warned = catchLogs("warn");
    const double = { uid: "another", email: ANNA.email, displayName: "Double" };
    const { store } = follow(fakeIdentityProvider(double));
    await expect.poll(warned).toEqual(["Error: Failed to sync user with backend"]);
    expect(store.get().isAuthenticated).toBe(false);
  });
});

describe("a sign-out", () => {
  // Specification 8.24
  test("by another tab empties what was kept and ends a backend session that was renewed since", async () => {
    const { identity, store, onEnd } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    identity.setIdentity(null);
    expect(store.get()).toMatchObject({ status: "signed-out", user: null, isAuthenticated: false });
    expect(onEnd).toHaveBeenCalledOnce();
    await expect.poll(accounts.calls).toEqual(["POST /api/login", "POST /api/logout"]);
  });

  test("while the login is under way ends the session that it opens", async () => {
    const { identity, store } = follow(fakeIdentityProvider(ANNA));
    await expect.poll(() => store.get().user).toEqual(ANNA);
    identity.setIdentity(null);
    await expect.poll(() => accounts.calls().at(-1)).toBe("POST /api/logout");
    await expect.poll(() => accounts.calls()).toContain("POST /api/login");
    expect(store.get().isAuthenticated).toBe(false);
  });

  test("by leaving asks the backend first, then the provider", async () => {
    const { identity, store, session, onEnd } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
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

  test("of which the backend could not be told is told again until it is", async () => {
    const warned = catchLogs("warn");
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    useFakeClock();
    const given = respondOnceWith(
      "post",
      "/api/logout",
      failure(503, "Away"),
      failure(503, "Away"),
    );
    const left = session.logOut();
    await advanceUntil(() => given() === 2);
    await left;
    expect(store.get().status).toBe("signed-out");
    expect(accounts.calls()).not.toContain("POST /api/logout");
    await advanceUntil(() => accounts.calls().includes("POST /api/logout"));
    expect(warned()).toHaveLength(2);
  });

  test("of which the backend could not be told is told at the next visit", async () => {
    const warned = catchLogs("warn");
    const given = respondOnceWith("post", "/api/logout", failure(503, "Away"), networkError);
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    await session.logOut();
    await expect.poll(given).toBe(2);
    follow();
    await expect.poll(accounts.calls).toContain("POST /api/logout");
    expect(warned()).toHaveLength(2);
  });

  test("that was never confirmed is not carried out against who logs in", async () => {
    const warned = catchLogs("warn");
    const given = respondOnceWith(
      "post",
      "/api/logout",
      failure(503, "Away"),
      failure(503, "Away"),
    );
    const { identity, store, session } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    await session.logOut();
    await expect.poll(given).toBe(2);
    expect(pendingLogout.get()).toBe(true);
    identity.setIdentity(BERT);
    await settled(store);
    expect(pendingLogout.get()).toBe(false);
    expect(warned()).toHaveLength(2);
  });

  test("lets the next user log in anew", async () => {
    const { identity, store, onEnd } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    identity.setIdentity(BERT);
    expect(store.get()).toMatchObject({ user: BERT, isAuthenticated: false });
    expect(onEnd).toHaveBeenCalledOnce();
    await settled(store);
    expect(accounts.seen.at(-1)?.body).toEqual({ firebaseUid: BERT.uid });
  });
});

describe("renewing", () => {
  test("logs in again while the user stays authenticated", async () => {
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    const renewed = Promise.all([session.renew(), session.renew()]);
    expect(store.get().isAuthenticated).toBe(true);
    expect(await renewed).toEqual([true, true]);
    expect(logins()).toHaveLength(2);
  });

  test("says when it could not be done", async () => {
    const warned = catchLogs("warn");
    const { store, session } = follow(fakeIdentityProvider(ANNA));
    await settled(store);
    respondOnceWith("post", "/api/login", failure(403, "No."));
    expect(await session.renew()).toBe(false);
    expect(warned()).toEqual(["Error: Failed to login with backend"]);
  });

  test("is not done for the signed-out, nor on the way out", async () => {
    const { identity, store, session } = follow();
    await expect.poll(() => store.get().status).toBe("signed-out");
    expect(await session.renew()).toBe(false);

    identity.setIdentity(ANNA);
    await settled(store);
    store.set({ isLoggingOut: true });
    expect(await session.renew()).toBe(false);
    expect(logins()).toHaveLength(1);
  });
});

describe("a hold", () => {
  test("keeps the state, and the login that was made for the form is not made again", async () => {
    const { identity, store, session } = follow();
    await expect.poll(() => store.get().status).toBe("signed-out");
    const release = session.lock();
    identity.setIdentity(ANNA);
    expect(store.get().status).toBe("signed-out");
    await session.logInToBackend(ANNA);
    release();
    expect(store.get()).toMatchObject({ status: "signed-in", user: ANNA });
    await settled(store);
    expect(logins()).toHaveLength(1);
  });

  test("whose form is left half done tells the next visit of the sign-in", async () => {
    const { identity, store, session } = follow();
    await expect.poll(() => store.get().status).toBe("signed-out");
    session.lock();
    expect(wasSignedIn()).toBe(false);
    identity.setIdentity(ANNA);
    expect(wasSignedIn()).toBe(true);
  });
});

describe("the token", () => {
  test("waits until the provider knows who is signed in", async () => {
    const { session, store } = follow(fakeIdentityProvider(ANNA));
    expect(await session.getToken()).toBe(`known token of ${ANNA.uid}`);
    await settled(store);
  });

  test("is none for the signed-out", async () => {
    expect(await follow().session.getToken()).toBeNull();
  });
});
