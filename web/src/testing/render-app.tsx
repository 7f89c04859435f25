import { act, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { routesOf } from "../app/pages.tsx";
import { ProviderUnavailableError } from "../features/session/failures.ts";
import { rememberSignIn } from "../features/session/sign-in-memory.ts";
import { basename } from "../lib/account-address.ts";
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
  changes?: Partial<Config>;
}

/** Renders the whole app at a path, the last of several that were visited. @returns goes back, as the browser's button */
export async function renderApp(
  visited: string | string[] = "/",
  { identity = fakeIdentityProvider(), changes = {} }: Options = {},
) {
  if (typeof identity === "object" && "current" in identity && identity.current()) {
    rememberSignIn(identity.current()?.uid ?? null);
  }
  const loadProvider = async () => {
    if (identity === "unavailable") throw new ProviderUnavailableError({});
    return identity;
  };
  const routes = routesOf({
    config: Promise.resolve({ ...config, ...changes }),
    identityLoader: () => loadProvider,
  });
  const initialEntries = [visited].flat();
  history.replaceState(null, "", initialEntries.at(-1));
  const router = createMemoryRouter(routes, { initialEntries, hydrationData: {}, basename: basename() });
  await act(async () => render(<RouterProvider router={router} />));
  return { goBack: () => act(() => router.navigate(-1)) };
}
