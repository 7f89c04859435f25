import { check, fail } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

const { RATE_LIMIT_TOKEN } = __ENV;
/** The key of an account of the installation. Without it the script creates accounts, which needs SIGNUP_MODE=open. */
export const API_KEY = __ENV.API_KEY || null;

/** @param caller an API key, or cookies; without it k6 sends the session cookie, which it clears after each iteration */
export function call(method, name, path, body, caller) {
  const headers = { "Content-Type": "application/json", Origin: BASE_URL };
  if (caller?.startsWith("tt_")) headers.Authorization = `Bearer ${caller}`;
  else if (caller) headers.Cookie = caller;
  if (RATE_LIMIT_TOKEN) headers["Rate-Limit-Token"] = RATE_LIMIT_TOKEN;
  const text = body === undefined ? null : JSON.stringify(body);
  return http.request(method, `${BASE_URL}${path}`, text, { headers, tags: { name } });
}

export function checkStatus(response, title, status) {
  return check(response, { [title]: (r) => r.status === status });
}

/** The body of a call without which the run makes no sense. */
export function replyOf(response) {
  const { method, url } = response.request;
  if (response.status >= 300) fail(`${method} ${url}: ${response.status} ${response.body}`);
  return response.json();
}

/** Signs up, which logs in. Returns the cookies of the session, null if it failed. */
export function createAccount(name) {
  const email = `${name}@load.example`;
  const signUp = { displayName: name, email, password: `${name}-password` };
  const response = call("POST", "sign-up", "/api/auth/sign-up", signUp);
  if (!checkStatus(response, "the account is created", 200)) return null;
  const cookies = Object.entries(response.cookies).map(([cookie, [{ value }]]) => `${cookie}=${value}`);
  return cookies.join("; ");
}

/** API_KEY, or the cookies of a new account, whose address is not confirmed, so that it has no keys. */
export function newCaller() {
  const caller = API_KEY ?? createAccount(`load-${Date.now().toString(36)}`);
  return caller ?? fail("Set API_KEY to an API key with all scopes, or CODES to a file with short codes.");
}
