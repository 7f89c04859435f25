export const REQUEST_TIMEOUT_MS = 15_000;
