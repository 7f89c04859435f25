import type { Dashboard } from "./dashboard.ts";
import { DEPENDENCIES } from "./dependencies.ts";
import { JOBS } from "./jobs.ts";
import { OVERVIEW } from "./overview.ts";
import { PROCESSES } from "./processes.ts";
import { REDIRECT } from "./redirect.ts";

export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, REDIRECT, DEPENDENCIES, JOBS, PROCESSES];
