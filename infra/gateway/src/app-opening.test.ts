import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { expect, it, onTestFinished } from "vitest";
import { gatewayForTest } from "./testing/start-gateway.ts";

async function start(appOpeningFile: string | null) {
  const gateway = await gatewayForTest({ appOpeningFile });
  return (headers = {}) => gateway.send("/app-opening.json", { headers });
}

it("serves the strategy table of this release, to be revalidated each time", async () => {
  const get = await start(null);
  const { status, headers, text } = await get();

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-cache",
  });
  expect(JSON.parse(text)).toEqual(BUILT_IN_OPENING_TABLE);
  expect((await get({ "If-None-Match": headers.etag })).status).toBe(304);
});

it("serves the file that the services read, even after its folder is replaced", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-strategies-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const publish = async (version: string) => {
    await mkdir(join(folder, `..${version}`));
    await writeFile(join(folder, `..${version}`, "table.json"), JSON.stringify({ version }));
    await symlink(`..${version}`, join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  };
  await publish("one");
  await symlink("..data/table.json", join(folder, "table.json"));
  const get = await start(join(folder, "table.json"));
  const first = await get();
  expect(JSON.parse(first.text)).toEqual({ version: "one" });

  await publish("second");
  const second = await get({ "If-None-Match": first.headers.etag });
  expect(second.status).toBe(200);
  expect(JSON.parse(second.text)).toEqual({ version: "second" });
});
