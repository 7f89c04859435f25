import { act, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { Providers } from "../app/providers.tsx";
import { AppRoutes } from "../app/router.tsx";
import { type FakeIdentityProvider, fakeIdentityProvider } from "./fake-identity-provider.ts";

export const config = {
  publicBaseUrl: "https://tapthru.example",
  productName: "Tapthru",
  contactEmail: "hello@tapthru.example",
  firebase: null,
  emulator: false,
};

interface Options {
  /** Null for no provider. By default, no user is signed in. */
  identity?: FakeIdentityProvider | Promise<FakeIdentityProvider> | null;
}

/** Renders the whole app at a path. */
export async function renderApp(path = "/", { identity = fakeIdentityProvider() }: Options = {}) {
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
}
