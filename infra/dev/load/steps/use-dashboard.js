import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { newAddress } from "./create-link.js";

const RUN = Date.now().toString(36);

/** Somebody signs up, makes a link, finds it in his list, names it, deletes it and leaves. */
export function useDashboard() {
  const name = `load-${RUN}-${exec.vu.idInTest}-${exec.scenario.iterationInTest}`;
  const email = `${name}@load.example`;
  const identity = call(
    "POST",
    "sign-up",
    "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=load",
    {
      email,
      password: name,
      returnSecureToken: true,
    },
  );
  if (!isAnswered(identity, "the identity is made", 200)) return;
  const { idToken, localId: firebaseUid } = identity.json();

  const user = call("POST", "users", "/api/users", { firebaseUid, email, username: name }, idToken);
  if (!isAnswered(user, "the user is made", 201)) return;
  const session = call("POST", "login", "/api/login", { firebaseUid }, idToken);
  if (!isAnswered(session, "the session opens", 200)) return;

  const made = call("POST", "create", "/api/generate", { url: newAddress() });
  if (!isAnswered(made, "the link is made", 201)) return;
  const shortCode = made.json("shortCode");
  const list = call("GET", "list", "/api/links");
  check(list, {
    "the list has it": (r) => r.status === 200 && r.json("0.shortCode") === shortCode,
  });
  const renamed = call("PATCH", "rename", `/api/links/${shortCode}`, { nickname: "Summer" });
  check(renamed, { "it is named": (r) => r.status === 200 && r.json("nickname") === "Summer" });
  isAnswered(call("DELETE", "delete", `/api/links/${renamed.json("id")}`), "it is deleted", 200);
  isAnswered(call("POST", "logout", "/api/logout"), "the session ends", 200);
}

/** The session's cookie comes along by itself, and is forgotten with the iteration. */
function call(method, name, path, body, token) {
  const headers = { "Content-Type": "application/json", Origin: __ENV.BASE_URL };
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = body === undefined ? null : JSON.stringify(body);
  return http.request(method, `${__ENV.BASE_URL}${path}`, text, { headers, tags: { name } });
}

function isAnswered(response, what, status) {
  return check(response, { [what]: (r) => r.status === status });
}
