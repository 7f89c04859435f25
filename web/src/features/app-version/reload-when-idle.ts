import { recordReload, wasReloadedFor } from "./stored-version.ts";

const PAUSE_MS = 1_000;

/**
 * Reloads the page for a new version as soon as the page is idle, at most once per version.
 * @returns a function that cancels a pending reload
 */
export function reloadWhenIdle(version: string, isInUse: () => boolean): () => void {
  const reload = () => {
    if (isInUse()) return;
    clearInterval(timer);
    if (!wasReloadedFor(version) && recordReload(version)) location.reload();
  };
  const timer = setInterval(reload, PAUSE_MS);
  reload();
  return () => clearInterval(timer);
}
