import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { newUrl } from "./create-link.js";

const RUN = Date.now().toString(36);

/** Signs up, creates a link, lists it, renames it, deletes it and logs out. */
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
  if (!checkStatus(identity, "the identity is created", 200)) return;
  const { idToken, localId: firebaseUid } = identity.json();

  const user = call("POST", "users", "/api/users", { firebaseUid, email, username: name }, idToken);
  if (!checkStatus(user, "the user is created", 201)) return;
  const session = call("POST", "login", "/api/login", { firebaseUid }, idToken);
  if (!checkStatus(session, "the session is created", 200)) return;

  const created = call("POST", "create", "/api/generate", { url: newUrl() });
  if (!checkStatus(created, "the link is created", 201)) return;
  const shortCode = created.json("shortCode");
  const list = call("GET", "list", "/api/links");
  check(list, {
    "the list contains the link": (r) => r.status === 200 && r.json("0.shortCode") === shortCode,
  });
  const renamed = call("PATCH", "rename", `/api/links/${shortCode}`, { nickname: "Summer" });
  check(renamed, {
    "the link is renamed": (r) => r.status === 200 && r.json("nickname") === "Summer",
  });
  checkStatus(
    call("DELETE", "delete", `/api/links/${renamed.json("id")}`),
    "the link is deleted",
    200,
  );
  checkStatus(call("POST", "logout", "/api/logout"), "the session ends", 200);
}

/** k6 sends the session cookie, and clears it after each iteration. */
function call(method, name, path, body, token) {
  const headers = { "Content-Type": "application/json", Origin: __ENV.BASE_URL };
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = body === undefined ? null : JSON.stringify(body);
  return http.request(method, `${__ENV.BASE_URL}${path}`, text, { headers, tags: { name } });
}

function checkStatus(response, title, status) {
  return check(response, { [title]: (r) => r.status === status });
}
