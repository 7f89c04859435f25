import { act, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { Providers } from "../app/providers.tsx";
import { AppRoutes } from "../app/router.tsx";
import { rememberSignIn } from "../features/session/sign-in-memory.ts";
import type { Config } from "../lib/config.ts";
import { type FakeIdentityProvider, fakeIdentityProvider } from "./fake-identity-provider.ts";

export const config: Config = {
  publicBaseUrl: "https://tapthru.example",
  productName: "Tapthru",
  contactEmail: "hello@tapthru.example",
  firebase: null,
  emulator: false,
  hasAmazonAds: false,
};

interface Options {
  /** Null for no provider. By default, no user is signed in. A signed-in user was also signed in at the last visit. */
  identity?: FakeIdentityProvider | Promise<FakeIdentityProvider> | null;
  hasAmazonAds?: boolean;
}

/** Renders the whole app at a path. */
export async function renderApp(
  path = "/",
  { identity = fakeIdentityProvider(), hasAmazonAds = false }: Options = {},
) {
  if (identity && "current" in identity && identity.current()) rememberSignIn(true);
  const loader = identity ? { identityLoader: () => async () => identity } : {};
  await act(async () =>
    render(
      <Providers config={Promise.resolve({ ...config, hasAmazonAds })} {...loader}>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </Providers>,
    ),
  );
}
