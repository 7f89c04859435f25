import { CREATE, DASHBOARD, OPEN, RUN, steady } from "./load.js";
import { createLink } from "./steps/create-link.js";
import { createLinks, deleteLinks, openLink, popularLink } from "./steps/links.js";
import { useDashboard } from "./steps/use-dashboard.js";

// Of 400 (RATE) iterations a second, 392 visit a link, six create one and two use the dashboard.
export const options = {
  scenarios: {
    open: { ...steady(400, 0.98), exec: "visit" },
    create: { ...steady(400, 0.015), exec: "create" },
    dashboard: { ...steady(400, 0.005), exec: "dashboard" },
  },
  thresholds: { ...CREATE, ...DASHBOARD, ...OPEN, ...RUN },
};
export { createLink as create, createLinks as setup, deleteLinks as teardown, useDashboard as dashboard };

export function visit(links) {
  openLink(links, popularLink(links));
}
