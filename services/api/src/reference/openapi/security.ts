import type { Credentials } from "@tapthru/proto/call";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";

/** @param isHttps whether the names of cookies have the prefix that browsers accept over https only */
export function securitySchemes(isHttps: boolean) {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: isHttps ? "__Host-sid" : "sid",
      description:
        "The session of a browser: this cookie and its signature, the cookie with `.sig` after the name. Requests with cookies that are not GET also need the header `Origin` with the address of this site.",
    },
    login: {
      type: "apiKey",
      in: "cookie",
      name: isHttps ? "__Host-login.session_token" : "login.session_token",
      description:
        "The login of a browser at the built-in identity provider, which it keeps beside the session. The header `Origin` as there.",
    },
    firebaseToken: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description: "An ID token of Firebase, where it is the identity provider.",
    },
    apiKey: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "tt_ and 36 letters and digits",
      description:
        "An API key, which a user creates on their account page. Each call names the scopes that a key needs: `links:read`, `links:write`, `clicks:read`, `earnings:read`, `earnings:write`. Do not send cookies beside it.",
    },
  };
}

export function securityOf(access: Credentials) {
  return access.map((credentials) => {
    const isScope = (name: string) => API_KEY_SCOPES.some((scope) => scope === name);
    const scopes = credentials.filter(isScope);
    const others = credentials.filter((name) => !isScope(name));
    const requirement: Record<string, readonly string[]> = Object.fromEntries(others.map((name) => [name, []]));
    if (scopes.length > 0) requirement.apiKey = scopes;
    return requirement;
  });
}
