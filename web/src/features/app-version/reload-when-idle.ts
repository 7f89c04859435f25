import { recordReload, wasReloadedFor } from "./stored-version.ts";

const PAUSE_MS = 1_000;

/**
 * Reloads the page for a version as soon as nobody is in the middle of something, and never twice for
 * the same one.
 * @returns gives a reload up that is still to come
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
