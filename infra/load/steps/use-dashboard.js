import { check } from "k6";
import exec from "k6/execution";
import { API_KEY, call, checkStatus, createAccount } from "./api.js";
import { NICKNAME, newUrl } from "./links.js";

const RUN = Date.now().toString(36);

/** Creates a link, lists it, renames it and deletes it, with API_KEY or as a user who signs up and logs out. */
export function useDashboard() {
  const name = `load-${RUN}-${exec.vu.idInTest}-${exec.scenario.iterationInTest}`;
  if (API_KEY === null && !createAccount(name)) return;
  const request = (method, title, path, body) => call(method, title, path, body, API_KEY);

  const created = request("POST", "create", "/api/generate", {
    url: newUrl(name, exec.scenario.iterationInTest),
  });
  if (!checkStatus(created, "the link is created", 201)) return;
  const shortCode = created.json("shortCode");
  const list = request("GET", "list", "/api/links");
  check(list, {
    "the list contains the link": (r) => r.status === 200 && r.json("#.shortCode").includes(shortCode),
  });
  const body = { nickname: NICKNAME };
  const renamed = request("PATCH", "rename", `/api/links/${shortCode}`, body);
  check(renamed, {
    "the link is renamed": (r) => r.status === 200 && r.json("nickname") === NICKNAME,
  });
  checkStatus(request("DELETE", "delete", `/api/links/${renamed.json("id")}`), "the link is deleted", 200);
  if (API_KEY !== null) return;
  checkStatus(call("POST", "logout", "/api/logout"), "the session ends", 200);
}
