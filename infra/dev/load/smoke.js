import { check } from "k6";
import http from "k6/http";
import { linksOf, optionsOf } from "./src/scenarios.ts";
import { createLink } from "./steps/create-link.js";
import { openLink, requireLinks } from "./steps/open-link.js";
import { useDashboard } from "./steps/use-dashboard.js";

// A few requests of each kind, without load.
export const options = optionsOf("smoke", __ENV);
export { handleSummary } from "./steps/summary.js";

const links = linksOf(__ENV);

export function setup() {
  requireLinks(links);
}

export default function smoke() {
  const home = http.get(__ENV.BASE_URL, { tags: { name: "home" } });
  check(home, { "the home page is served": ({ status }) => status === 200 });
  for (let number = 0; number < 10; number++) openLink(number);
  createLink();
  useDashboard();
}
