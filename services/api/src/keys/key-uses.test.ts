import { beforeEach, expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada } = await startWorld();
beforeEach(() => api.query("TRUNCATE api_keys"));

const use = (headers: Record<string, string>) => api.request("GET", "/api/links", headers);
const saved = () =>
  api.query(`
    SELECT last_used_at = date_trunc('minute', last_used_at) AND
      last_used_at > now() - interval '2 minutes' AS is_recent_minute
    FROM api_keys ORDER BY id
  `);

it("the minute in which a key was last used is saved, not by the request itself", async () => {
  const { script } = await addKey(api, ada);
  await addKey(api, ada);
  await use(script);
  expect(await saved()).toEqual([{ is_recent_minute: null }, { is_recent_minute: null }]);
  await api.context.keyUses.save();
  expect(await saved()).toEqual([{ is_recent_minute: true }, { is_recent_minute: null }]);
});

it("a later time that another replica saved is kept", async () => {
  const { script } = await addKey(api, ada);
  await use(script);
  await api.query("UPDATE api_keys SET last_used_at = '2099-01-01'");
  await api.context.keyUses.save();
  expect(await api.query("SELECT FROM api_keys WHERE last_used_at = '2099-01-01'")).toHaveLength(1);
});

it("what could not be saved is saved later", async () => {
  const { script } = await addKey(api, ada);
  await use(script);
  await api.query("ALTER TABLE api_keys RENAME TO lost");
  await api.context.keyUses.save();
  await api.query("ALTER TABLE lost RENAME TO api_keys");
  expect(api.lines).toContainEqual(expect.objectContaining({ event: "key_uses_not_saved" }));
  await api.context.keyUses.save();
  expect(await saved()).toEqual([{ is_recent_minute: true }]);
});

it("a key that was revoked since is no problem", async () => {
  const { id, script } = await addKey(api, ada);
  await use(script);
  await api.request("DELETE", `/api/keys/${id}`, ada.browser);
  await api.context.keyUses.save();
  expect(await api.query("SELECT FROM api_keys")).toEqual([]);
});
