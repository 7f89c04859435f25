// Not in all.ts, which is in the first script.

export * from "./operator-links.ts";
export * from "./operator-pages.ts";
export * from "./operator-reports.ts";
export * from "./operator-users.ts";
