import { getSystem } from "@tapthru/proto/operator/system";
import "../app/routes/operator/operator.tsx";
import type { Config } from "../lib/config.ts";
import { exampleOf, like } from "./examples.ts";
import { openAsUser } from "./open-as-user.ts";

export const openAsOperator = (path: string, changes: Partial<Config> = {}) =>
  openAsUser(path, { user: { isOperator: true }, changes });

/** The state of an installation in which nothing has failed. */
export const systemState = like(exampleOf(getSystem), { failedJobs: [], failedItems: { count: 0, items: [] } });
