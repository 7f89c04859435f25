import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf, isNetworkFailure } from "../../lib/http/http-client.ts";
import { CodeRequiredError, errorCode, isProviderUnreachable, ProviderUnavailableError } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import { invitation } from "./invitation.ts";
import { keepTrying } from "./keep-trying.ts";
import { requestPasskey } from "./passkeys.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const STORAGE_KEY = "identity";
/** A token is replaced this long before it expires. */
const TOKEN_RESERVE_MS = 30_000;

/** The identity provider that is part of the api. A cookie that scripts cannot read names the login. */
export function createBuiltInProvider(): IdentityProvider {
  const listeners = new Set<(identity: Identity | null) => void>();
  let current = readIdentity();
  /** Whether it is certain enough to be reported. A login at an OpenID provider ends with a new page. */
  let isKnown = current !== null || !wasSignedIn();
  /** Counts what is learned of the identity. An older reply does not replace a newer one. */
  let turn = 0;
  /** A sign-up without a reply. It may have created the identity. */
  let unanswered: { email: string; password: string } | null = null;
  let token: { text: Promise<string>; expiresAt: number } | null = null;

  function setCurrent(identity: Identity | null) {
    current = identity;
    isKnown = true;
    turn += 1;
    token = null;
    storeIdentity(identity);
    report();
  }

  function report() {
    for (const listener of listeners) listener(current);
  }

  async function refresh() {
    turn += 1;
    const own = turn;
    const { identity } = await call("GET", "/api/auth/identity", {});
    if (own === turn) setCurrent(identity);
  }

  /** After a login. */
  async function signedIn(): Promise<Identity> {
    await refresh();
    if (!current) throw new Error("The browser does not keep the cookie of the login");
    return current;
  }

  async function signIn(email: string, password: string) {
    const { needsCode } = await call("POST", "/api/auth/sign-in", { body: { email, password } });
    if (needsCode) throw new CodeRequiredError();
    return signedIn();
  }

  async function verifyCode(code: string) {
    await call("POST", "/api/auth/code", { body: { code } });
    return signedIn();
  }

  function fetchToken() {
    const fetched = { text: requestToken(), expiresAt: Number.POSITIVE_INFINITY };
    token = fetched;
    return fetched.text.then(
      (text) => {
        fetched.expiresAt = Date.now() + lifetimeOf(text) - TOKEN_RESERVE_MS;
        return text;
      },
      (error) => {
        if (token === fetched) token = null;
        // The login has ended, here or at another place.
        if (httpErrorOf(error)?.status === 401) setCurrent(null);
        throw error;
      },
    );
  }

  function followOtherTab({ key }: StorageEvent) {
    if (key === STORAGE_KEY) setCurrent(readIdentity());
  }

  return {
    onChange(listener) {
      if (listeners.size === 0) addEventListener("storage", followOtherTab);
      listeners.add(listener);
      queueMicrotask(() => isKnown && listeners.has(listener) && listener(current));
      // Without a login that may have ended, guests need no request.
      if (wasSignedIn()) keepRefreshing(refresh, () => listeners.has(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) removeEventListener("storage", followOtherTab);
      };
    },
    current: () => current,
    signIn,
    async signUp({ username, email, password }) {
      if (unanswered?.email === email && unanswered.password === password) {
        try {
          return await signIn(email, password);
        } catch (error) {
          if (errorCode(error) !== "wrong-credentials") throw error;
        }
      }
      const body = { displayName: username, email, password, invitation: invitation.get() };
      unanswered = { email, password };
      try {
        await call("POST", "/api/auth/sign-up", { body });
        return await signedIn();
      } catch (error) {
        if (!isProviderUnreachable(error)) unanswered = null;
        throw error;
      }
    },
    async setPassword(password, currentPassword) {
      await call("PUT", "/api/auth/password", { body: { password, currentPassword } });
      token = null;
    },
    async reauthenticate(password, code) {
      await signIn(current?.email ?? "", password).catch((error) => {
        if (!(error instanceof CodeRequiredError)) throw error;
        return verifyCode(code);
      });
    },
    async sendEmailChange(email) {
      await call("PUT", "/api/auth/email", { body: { email } });
    },
    async sendEmailConfirmation() {
      await call("POST", "/api/auth/email-confirmation", {});
    },
    async setDisplayName(displayName) {
      await call("PATCH", "/api/auth/identity", { body: { displayName } });
      if (current) setCurrent({ ...current, displayName });
    },
    async deleteIdentity() {
      await call("DELETE", "/api/auth/identity", {});
      setCurrent(null);
    },
    async getToken({ fresh } = { fresh: false }) {
      if (token && !fresh && token.expiresAt > Date.now()) return token.text;
      return fetchToken();
    },
    async signOut({ isLocal } = { isLocal: false }) {
      const { redirectUrl } = await call("POST", "/api/auth/sign-out", {});
      setCurrent(null);
      if (redirectUrl !== null && !isLocal) location.assign(redirectUrl);
    },
    async sendPasswordReset(email) {
      await call("POST", "/api/auth/password-reset", { body: { email } });
    },
    builtIn: {
      verifyCode,
      refresh: () =>
        new Promise((resolve) => {
          keepRefreshing(() => refresh().finally(resolve));
        }),
      async signInWithPasskey() {
        const options = await call("POST", "/api/auth/passkey-login/options", {});
        const response = await requestPasskey(options);
        await call("POST", "/api/auth/passkey-login", { body: { response } });
        return signedIn();
      },
    },
  };
}

/** Repeats it while the provider is unavailable. */
function keepRefreshing(refresh: () => Promise<void>, isWanted = () => true): void {
  keepTrying(refresh, (error) => {
    console.warn(error);
    return isWanted() && error instanceof ProviderUnavailableError;
  });
}

async function requestToken(): Promise<string> {
  return (await call("GET", "/api/auth/token", {})).token;
}

/** As callApi, without the session of the backend. Throws ProviderUnavailableError if the api is not available. */
const call: typeof callApi = async (method, path, options) => {
  try {
    return await callApi(method, path, { ...options, renewsSession: false });
  } catch (error) {
    throw isUnavailable(error) ? new ProviderUnavailableError({ cause: error }) : error;
  }
};

function isUnavailable(error: unknown): boolean {
  const refusal = httpErrorOf(error);
  if (refusal) return refusal.status >= 500 && refusal.code !== "email-not-configured";
  return error instanceof Error && isNetworkFailure(error);
}

/** By the clock of the api, which may differ from that of the browser. */
function lifetimeOf(token: string): number {
  const [, claims = ""] = token.split(".");
  const { iat, exp } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  return (exp - iat) * 1_000;
}

/** Null if storage is forbidden or has no identity. */
function readIdentity(): Identity | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
  } catch {
    return null;
  }
}

function storeIdentity(identity: Identity | null): void {
  try {
    if (identity) localStorage.setItem(STORAGE_KEY, JSON.stringify(identity));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden.
  }
}
