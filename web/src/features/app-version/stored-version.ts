import { APP_VERSION_KEY } from "@tapthru/proto/rules/limits";

/** The versions that this tab has reloaded for, and a failed script, one per line. */
const RELOADED_FOR_KEY = "reloaded_for";

export interface KnownVersions {
  /** The first version that this page saw. Null before the first check. */
  running: string | null;
  /** The version last stored by any page in this browser. */
  stored: string | null;
}

/** Compares with the running version first, because another tab may already have stored the new one. */
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

/** @returns false if it could not be stored. Reloading could then repeat forever. */
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
