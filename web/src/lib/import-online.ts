/**
 * Makes a dynamic import that can be retried. It checks first that the server responds, because Firefox before 155
 * and Safari cache a failed import until the page is reloaded (github.com/whatwg/html/issues/6768).
 * @returns a function that loads the module once. It rejects with a TypeError while offline.
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
