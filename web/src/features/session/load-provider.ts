import type { Config } from "../../lib/config.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { ProviderUnavailableError } from "./failures.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export type LoadProvider = () => Promise<IdentityProvider>;

/** Loads the identity provider on demand, once. A failed load is retried by the next call. */
export function providerLoader({ firebase }: Config): LoadProvider {
  const load = loadOnce(async () => {
    if (!firebase) return (await import("./built-in.ts")).createBuiltInProvider();
    const { createFirebaseProvider } = await import("./firebase.ts");
    return createFirebaseProvider(firebase);
  });

  return () =>
    load().catch((cause) => {
      throw new ProviderUnavailableError({ cause });
    });
}
