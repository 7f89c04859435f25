import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { BASE_URL } from "../load.js";
import { creation, newUrl } from "./links.js";

const RUN = Date.now();

/** Creates a link without an account and visits it. */
export function createLink() {
  const url = newUrl(`${RUN}-${exec.vu.idInTest}`, exec.scenario.iterationInTest);
  const created = http.request(...creation(url));
  if (!check(created, { "the link is created": ({ status }) => status === 201 })) return;
  const opened = http.get(`${BASE_URL}/l/${created.json("shortCode")}`, {
    redirects: 0,
    tags: { name: "open-new" },
  });
  check(opened, {
    "the new link redirects": ({ status, headers }) => status === 302 && headers.Location === url,
  });
}
