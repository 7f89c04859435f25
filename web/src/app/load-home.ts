import { messages } from "@tapthru/proto/rules/messages";
import { useEffect } from "react";
import { useErrorToast } from "../components/ui/toaster.tsx";
import { onFirstInteraction } from "../lib/first-interaction.ts";
import { loadWithQueries } from "../lib/http/load-with-queries.tsx";
import { importOnline } from "../lib/import-online.ts";
import { isHomePrerendered } from "../lib/prerendered.ts";

const load = () => loadWithQueries(() => import("./routes/home.tsx"));

let reportFailure = () => {};

/**
 * Loads the start page. If that fails, the prerendered page with its text stays, and the next interaction or the end of
 * being offline loads it again. Elsewhere it rejects.
 */
export async function loadHome(): ReturnType<typeof load> {
  try {
    return await load();
  } catch (error) {
    if (!isHomePrerendered) throw error;
    return loadLater();
  }
}

async function loadLater(): ReturnType<typeof load> {
  const loadOnline = importOnline(load);
  for (;;) {
    await nextChance();
    try {
      return await loadOnline();
    } catch {
      reportFailure();
    }
  }
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const cancel = onFirstInteraction(resolve);
    addEventListener("online", () => resolve(cancel()), { once: true });
  });
}

/** Shows a toast when a user interacts with the prerendered start page and it cannot be loaded. */
export function useHomeFailures(): void {
  const showError = useErrorToast();
  useEffect(() => {
    reportFailure = () => showError(navigator.onLine ? messages.crashText : messages.youAreOffline);
  });
}
