import type { Config } from "../../lib/config.ts";
import { ProviderUnavailableError } from "./failures.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export type LoadProvider = () => Promise<IdentityProvider>;

/** Loads the identity provider on demand, once. A failed load is retried by the next call. */
export function providerLoader({ firebase, emulator }: Config): LoadProvider {
  let loading: Promise<IdentityProvider> | null = null;

  async function load(): Promise<IdentityProvider> {
    if (!firebase) throw new ProviderUnavailableError();
    try {
      const { createFirebaseProvider } = await import("./firebase.ts");
      const emulatorUrl = emulator ? location.origin : null;
      return createFirebaseProvider({ options: firebase, emulatorUrl });
    } catch (cause) {
      loading = null;
      throw new ProviderUnavailableError({ cause });
    }
  }

  return () => {
    loading ??= load();
    return loading;
  };
}
