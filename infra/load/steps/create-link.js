import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { BASE_URL } from "../load.js";
import { call, checkStatus } from "./api.js";
import { newUrl } from "./links.js";

const RUN = Date.now();

/** Creates a link without an account and visits it. */
export function createLink() {
  const url = newUrl(`${RUN}-${exec.vu.idInTest}`, exec.scenario.iterationInTest);
  const created = call("POST", "create", "/api/generate", { url });
  if (!checkStatus(created, "the link is created", 201)) return;
  const opened = http.get(`${BASE_URL}/l/${created.json("shortCode")}`, {
    redirects: 0,
    tags: { name: "open-new" },
  });
  check(opened, {
    "the new link redirects": ({ status, headers }) => status === 302 && headers.Location === url,
  });
}
