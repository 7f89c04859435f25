/**
 * An import that can be repeated after it failed, and asks the server for a response first: Firefox before 155 and
 * Safari remember a failed import until the page is reloaded (github.com/whatwg/html/issues/6768).
 * @returns loads the script, once; rejects with a TypeError without a network
 */
export function importOnline<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | null = null;

  async function loadOnline() {
    try {
      await fetch("/version.txt", { method: "HEAD", cache: "no-store" });
      return await load();
    } catch (error) {
      loading = null;
      throw error;
    }
  }

  return () => {
    loading ??= loadOnline();
    return loading;
  };
}
