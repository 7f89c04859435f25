import { lazy } from "react";

export const loadBatchPanel = () => import("./batch-results.tsx");

/** Render it only after loadBatchPanel has succeeded: React keeps a failure. */
export const BatchPanel = lazy(loadBatchPanel);
