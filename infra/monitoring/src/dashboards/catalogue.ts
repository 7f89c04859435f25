import { CLICKS } from "./clicks.ts";
import type { Dashboard } from "./dashboard.ts";
import { DEPENDENCIES } from "./dependencies.ts";
import { GATEWAY } from "./gateway.ts";
import { JOBS } from "./jobs.ts";
import { OVERVIEW } from "./overview.ts";
import { PROCESSES } from "./processes.ts";
import { REDIRECT } from "./redirect.ts";

export const DASHBOARDS: readonly Dashboard[] = [
  OVERVIEW,
  GATEWAY,
  REDIRECT,
  CLICKS,
  DEPENDENCIES,
  JOBS,
  PROCESSES,
];
