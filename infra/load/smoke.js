import { check } from "k6";
import http from "k6/http";
import { BASE_URL, RUN } from "./load.js";
import { createLink } from "./steps/create-link.js";
import { createLinks, deleteLinks, openLink } from "./steps/links.js";
import { useDashboard } from "./steps/use-dashboard.js";

// A few requests of each kind, without load.
export const options = { vus: 1, iterations: 5, thresholds: { checks: ["rate==1"], ...RUN } };
export { createLinks as setup, deleteLinks as teardown };

export default function smoke(links) {
  const home = http.get(BASE_URL, { tags: { name: "home" } });
  check(home, { "the home page is served": ({ status }) => status === 200 });
  for (let number = 0; number < 10; number++) openLink(links, number);
  createLink();
  useDashboard();
}
