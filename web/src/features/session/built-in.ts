import type { Login } from "@tapthru/proto/accounts";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf, isNetworkFailure } from "../../lib/http/http-client.ts";
import { openOutside } from "../../lib/leave.ts";
import { CodeRequiredError, errorCode, isProviderUnreachable, ProviderUnavailableError } from "./failures.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { invitation } from "./invitation.ts";
import { openSession } from "./open-session.ts";
import { requestPasskey } from "./request-passkey.ts";

/** The identity provider that is part of the api. A cookie that scripts cannot read names the login. */
export function createBuiltInProvider(): IdentityProvider {
  /** A sign-up without a reply. It may have created the account. */
  let unanswered: { email: string; password: string } | null = null;

  async function logIn(email: string, password: string): Promise<Login> {
    const { login } = await call("POST /api/auth/sign-in", { body: { email, password } });
    if (login === null) throw new CodeRequiredError();
    return login;
  }

  const verifyCode = (code: string) => call("POST /api/auth/code", { body: { code } });

  return {
    async restore() {
      try {
        return await openSession(await call("GET /api/auth/identity", {}), null);
      } catch (error) {
        if (httpErrorOf(error)?.status === 401) return null;
        throw error;
      }
    },
    logIn,
    async signUp({ username: displayName, email, password }) {
      if (unanswered?.email === email && unanswered.password === password) {
        try {
          return await logIn(email, password);
        } catch (error) {
          if (errorCode(error) !== "wrong-credentials") throw error;
        }
      }
      unanswered = { email, password };
      try {
        const body = { displayName, email, password, invitation: invitation.get() };
        const login = await call("POST /api/auth/sign-up", { body });
        invitation.set(null);
        return login;
      } catch (error) {
        if (!isProviderUnreachable(error)) unanswered = null;
        throw error;
      }
    },
    // Not `call`: without a reply, the password may have been changed.
    setPassword: (body) => callApi("PUT /api/auth/password", { body, renewsSession: false }),
    async reauthenticate(email, password, code) {
      await logIn(email, password).catch((error) => {
        if (!(error instanceof CodeRequiredError)) throw error;
        return verifyCode(code);
      });
    },
    async sendEmailChange(email) {
      await call("PUT /api/auth/email", { body: { email } });
    },
    async sendEmailConfirmation() {
      await call("POST /api/auth/email-confirmation", {});
    },
    async signOut(redirectUrl) {
      const url = redirectUrl === undefined ? (await call("POST /api/auth/sign-out", {})).redirectUrl : redirectUrl;
      if (url !== null) openOutside(url);
    },
    async sendPasswordReset(email) {
      await call("POST /api/auth/password-reset", { body: { email } });
    },
    builtIn: {
      verifyCode,
      async logInWithPasskey() {
        const options = await call("POST /api/auth/passkey-login/options", {});
        const response = await requestPasskey(options);
        return call("POST /api/auth/passkey-login", { body: { response } });
      },
    },
  };
}

/** As callApi, without the session of the backend. Throws ProviderUnavailableError if the api is not available. */
const call: typeof callApi = async (name, options) => {
  try {
    return await callApi(name, { ...options, renewsSession: false });
  } catch (error) {
    throw isUnavailable(error) ? new ProviderUnavailableError({ cause: error }) : error;
  }
};

function isUnavailable(error: unknown): boolean {
  const refusal = httpErrorOf(error);
  if (refusal) return refusal.status >= 500 && refusal.code !== "email-not-configured";
  return error instanceof Error && isNetworkFailure(error);
}
