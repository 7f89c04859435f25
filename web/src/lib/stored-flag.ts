export interface StoredFlag {
  get(): boolean;
  set(value: boolean): void;
}

/** A boolean in localStorage. Always false if storage is forbidden. */
export function createStoredFlag(key: string): StoredFlag {
  return {
    get() {
      try {
        return localStorage.getItem(key) !== null;
      } catch {
        return false;
      }
    },
    set(value) {
      try {
        if (value) localStorage.setItem(key, "yes");
        else localStorage.removeItem(key);
      } catch {
        // Storage may be forbidden.
      }
    },
  };
}
