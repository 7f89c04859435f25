import { createKey } from "@tapthru/proto/keys";
import { API_KEY_SCOPES, type ApiKeyScope } from "@tapthru/proto/rules/api-key";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";
import { bearer, type TestUser } from "./test-user.ts";

export interface TestKey {
  id: number;
  key: string;
  script: { authorization: string };
}

export const MEMBER_SCOPES = API_KEY_SCOPES.filter((scope) => scope !== "operator");

/** Creates an API key of the user, by default with all scopes that members can give. */
export async function addKey(
  api: Pick<TestApi, "post">,
  user: Pick<TestUser, "browser">,
  scopes: readonly ApiKeyScope[] = MEMBER_SCOPES,
): Promise<TestKey> {
  const response = await api.post("/api/keys", { name: "script", scopes }, user.browser);
  if (response.status !== 201) throw new Error(`Failed to create a key: ${await response.text()}`);
  const { id, key } = z.parse(createKey.replies[201], await response.json());
  return { id, key, script: bearer(key) };
}
