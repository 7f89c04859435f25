import { check, fail } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

const { RATE_LIMIT_TOKEN } = __ENV;
/** Of an account of the installation. Without it accounts are created, which a stack with SIGNUP_MODE=open allows. */
export const API_KEY = __ENV.API_KEY || null;

/** @param token an API key; without it k6 sends the session cookie, which it clears after each iteration */
export function call(method, name, path, body, token) {
  const headers = { "Content-Type": "application/json", Origin: BASE_URL };
  if (token) headers.Authorization = `Bearer ${token}`;
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

/** Signs up, which logs in. Returns whether it succeeded. */
export function createAccount(name) {
  const email = `${name}@load.example`;
  const signUp = { displayName: name, email, password: `${name}-password` };
  return checkStatus(call("POST", "sign-up", "/api/auth/sign-up", signUp), "the account is created", 200);
}

/** API_KEY, or a key of a new account. */
export function apiKey() {
  if (API_KEY !== null) return API_KEY;
  if (!createAccount(`load-${Date.now().toString(36)}`)) {
    fail("Set API_KEY to an API key with all scopes, or CODES to a file with short codes.");
  }
  const scopes = ["links:read", "links:write", "clicks:read"];
  return replyOf(call("POST", "key", "/api/keys", { name: "k6", scopes })).key;
}
