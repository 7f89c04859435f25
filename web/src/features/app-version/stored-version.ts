import { APP_VERSION_KEY } from "@tapthru/proto/rules/limits";

/** Versions that this tab was reloaded for, one a line. */
const RELOADED_FOR_KEY = "reloaded_for";

export interface KnownVersions {
  /** That this page found first; null: nothing so far. */
  running: string | null;
  /** That a page of this browser stored last. */
  stored: string | null;
}

/** Other tabs may have stored a version that this page does not run yet. */
export function isNewVersion(deployed: string, { running, stored }: KnownVersions): boolean {
  const known = running ?? stored;
  return known !== null && deployed !== known;
}

export function readStoredVersion(): string | null {
  return read(() => localStorage, APP_VERSION_KEY);
}

export function storeVersion(version: string): void {
  write(() => localStorage, APP_VERSION_KEY, version);
}

export function wasReloadedFor(version: string): boolean {
  return readReloads().includes(version);
}

/** @returns false where the browser does not keep it, and so a reload might never end */
export function recordReload(version: string): boolean {
  write(() => sessionStorage, RELOADED_FOR_KEY, [...readReloads(), version].join("\n"));
  return wasReloadedFor(version);
}

function readReloads(): string[] {
  return read(() => sessionStorage, RELOADED_FOR_KEY)?.split("\n") ?? [];
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // Storage may be forbidden or full.
  }
}
