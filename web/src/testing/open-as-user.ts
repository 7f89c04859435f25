import type { User } from "@tapthru/proto/accounts";
import type { Config } from "../lib/config.ts";
import {
  addTestUser,
  type FakeIdentityProvider,
  fakeIdentityProvider,
  identityFor,
  testUsers,
} from "./fake-identity-provider.ts";
import { renderApp } from "./render-app.tsx";

export const ANNA = identityFor("anna@example.com");

interface Options {
  identity?: FakeIdentityProvider;
  user?: Partial<User>;
  changes?: Partial<Config>;
}

/** Renders the whole app at a path for a user who is logged in. @returns their identity provider */
export async function openAsUser(path: string, { identity, user, changes = {} }: Options = {}) {
  const provider = identity ?? fakeIdentityProvider(ANNA);
  testUsers.clear();
  Object.assign(addTestUser(ANNA), user);
  await renderApp(path, { identity: provider, changes });
  return provider;
}
