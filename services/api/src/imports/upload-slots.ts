import { ApiError } from "../errors.ts";

/** A file of 10 MB and its lines take about 100 MB while they are read. */
const MAX_UPLOADS = 3;
const RETRY_AFTER_SECONDS = 5;

/** Runs a function for an upload, of which one process has few at a time. */
export type RunUpload = <T>(run: () => Promise<T>) => Promise<T>;

/** @throws ApiError (unavailable) if too many uploads are in progress */
export function createUploadSlots(): RunUpload {
  let inProgress = 0;
  return async (run) => {
    if (inProgress >= MAX_UPLOADS) {
      throw new ApiError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    inProgress++;
    try {
      return await run();
    } finally {
      inProgress--;
    }
  };
}
