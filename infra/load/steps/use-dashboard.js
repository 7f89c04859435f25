import { check } from "k6";
import exec from "k6/execution";
import { call, checkStatus, createAccount } from "./account.js";
import { newUrl } from "./links.js";

const RUN = Date.now().toString(36);

/** Signs up, creates a link, lists it, renames it, deletes it and logs out. */
export function useDashboard() {
  const name = `load-${RUN}-${exec.vu.idInTest}-${exec.scenario.iterationInTest}`;
  if (createAccount(name) === null) return;

  const created = call("POST", "create", "/api/generate", {
    url: newUrl(name, exec.scenario.iterationInTest),
  });
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
