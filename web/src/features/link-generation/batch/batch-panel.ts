import { lazy } from "react";
import { importOnline } from "../../../lib/import-online.ts";

export const loadBatchPanel = importOnline(() => import("./batch-results.tsx"));

/** Render it only after loadBatchPanel has succeeded: React keeps a failure. */
export const BatchPanel = lazy(loadBatchPanel);
