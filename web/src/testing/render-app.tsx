import { act, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { vi } from "vitest";
import { paths } from "../app/paths.ts";
import { Providers } from "../app/providers.tsx";
import { AppRoutes } from "../app/router.tsx";
// Imported here, so that it does not take time of the first test.
import "../app/routes/home.tsx";
import { rememberSignIn } from "../features/session/sign-in-memory.ts";
import "../lib/http/queries.tsx";
import { type FakeIdentityProvider, fakeIdentityProvider } from "./fake-identity-provider.ts";

export const config = {
  publicBaseUrl: "https://tapthru.example",
  productName: "Tapthru",
  contactEmail: "hello@tapthru.example",
  firebase: null,
  emulator: false,
};

interface Options {
  /** Null for no provider. By default, no user is signed in. A signed-in user was also signed in at the last visit. */
  identity?: FakeIdentityProvider | Promise<FakeIdentityProvider> | null;
}

/** Renders the whole app at a path. The start page has loaded. */
export async function renderApp(path = "/", { identity = fakeIdentityProvider() }: Options = {}) {
  if (identity && "current" in identity && identity.current()) rememberSignIn(true);
  const loader = identity ? { identityLoader: () => async () => identity } : {};
  await act(async () =>
    render(
      <Providers config={Promise.resolve(config)} {...loader}>
        <MemoryRouter initialEntries={[path]}>
          <AppRoutes />
        </MemoryRouter>
      </Providers>,
    ),
  );
  if (path === paths.home) await act(() => vi.dynamicImportSettled());
}
