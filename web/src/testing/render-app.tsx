import { act, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { Providers } from "../app/providers.tsx";
import { AppRoutes } from "../app/router.tsx";
import { ProviderUnavailableError } from "../features/session/failures.ts";
import { rememberSignIn } from "../features/session/sign-in-memory.ts";
import type { Config } from "../lib/config.ts";
import { type FakeIdentityProvider, fakeIdentityProvider } from "./fake-identity-provider.ts";

export const config: Config = {
  publicBaseUrl: "https://tapthru.example",
  productName: "Tapthru",
  contactEmail: "hello@tapthru.example",
  firebase: null,
  signUp: "open",
  hasPasswordLogin: true,
  openIdConnect: null,
  hasAmazonAds: false,
  hasDomains: false,
};

interface Options {
  /** By default, no user is signed in. A signed-in user was also signed in at the last visit. */
  identity?: FakeIdentityProvider | Promise<FakeIdentityProvider> | "unavailable";
  /** Changes of the configuration. */
  changes?: Partial<Config>;
}

/** Renders the whole app at a path. */
export async function renderApp(path = "/", { identity = fakeIdentityProvider(), changes = {} }: Options = {}) {
  if (typeof identity === "object" && "current" in identity && identity.current()) {
    rememberSignIn(true);
  }
  const loadProvider = async () => {
    if (identity === "unavailable") throw new ProviderUnavailableError({});
    return identity;
  };
  await act(async () =>
    render(
      <Providers config={Promise.resolve({ ...config, ...changes })} identityLoader={() => loadProvider}>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </Providers>,
    ),
  );
}
