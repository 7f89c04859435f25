import { check } from "k6";
import http from "k6/http";
import { BASE_URL } from "../load.js";

/** Signs up at the Firebase emulator and at Tapthru, and logs in. Returns null if a call failed. */
export function createAccount(name) {
  const identity = call(
    "POST",
    "sign-up",
    "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=load",
    { email: `${name}@load.example`, password: name, returnSecureToken: true },
  );
  if (!checkStatus(identity, "the identity is created", 200)) return null;
  const { idToken, localId: firebaseUid } = identity.json();
  const body = { firebaseUid, email: `${name}@load.example`, username: name };
  const user = call("POST", "users", "/api/users", body, idToken);
  if (!checkStatus(user, "the user is created", 201)) return null;
  const account = { idToken, firebaseUid };
  return logIn(account) ? account : null;
}

/** k6 keeps a session for the iteration, setup or teardown in which it began. */
export function logIn({ idToken, firebaseUid }) {
  const session = call("POST", "login", "/api/login", { firebaseUid }, idToken);
  return checkStatus(session, "the session is created", 200);
}

/** k6 sends the session cookie, and clears it after each iteration. */
export function call(method, name, path, body, token) {
  const headers = { "Content-Type": "application/json", Origin: BASE_URL };
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = body === undefined ? null : JSON.stringify(body);
  return http.request(method, `${BASE_URL}${path}`, text, { headers, tags: { name } });
}

export function checkStatus(response, title, status) {
  return check(response, { [title]: (r) => r.status === status });
}
