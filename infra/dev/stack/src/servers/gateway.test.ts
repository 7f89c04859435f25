import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { readSettings } from "../stack/settings.ts";
import { isolatedStackEnv } from "../stack/test-stack.ts";
import { startGateway, writeEmptyWebApp } from "./gateway.ts";

it("is not ready while another program responds on its port", async () => {
  const started = startTemporarily(async (folder, stack) => {
    const settings = readSettings(await isolatedStackEnv(folder));
    await mkdir(settings.logsDir);
    await writeEmptyWebApp(settings.webDir);
    const other = createServer((_request, response) => response.end());
    onTestFinished(() => void other.close());
    await once(other.listen(settings.ports.PORT, "127.0.0.1"), "listening");
    await startGateway(settings, { nginx: process.env.TEST_NGINX ?? "nginx", isDev: false }, stack);
    return {};
  });
  await expect(started).rejects.toThrow("Address already in use");
});
