import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gatewayForTest } from "./testing/start-gateway.ts";

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
  const gateway = await gatewayForTest({ appOpeningFile: join(folder, "table.json") });
  const get = (headers = {}) => gateway.send("/app-opening.json", { headers });
  const first = await get();
  expect(JSON.parse(first.text)).toEqual({ version: "one" });
  expect((await get({ "If-None-Match": first.headers.etag })).status).toBe(304);
  await publish("second");
  const second = await get({ "If-None-Match": first.headers.etag });
  expect(second.status).toBe(200);
  expect(JSON.parse(second.text)).toEqual({ version: "second" });
});
