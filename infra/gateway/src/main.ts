import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { createLogger } from "@tapthru/core/platform/logger";
import { logBootWarnings } from "./boot-warnings.ts";
import { TICKETS_FILE } from "./certificates/ticket-keys.ts";
import { metricsAddressOf, nameServersIn, reloadingCommand } from "./container-settings.ts";
import { nginxArguments, renderGateway } from "./render.ts";
import { gatewaySettings } from "./settings.ts";

const NGINX = "/usr/sbin/nginx";

// The container's entry point: renders the nginx configuration, then replaces itself with nginx.
const directory = join(tmpdir(), "gateway");
const config = readConfigAtBoot("gateway");
const logger = createLogger({ service: "gateway", level: "warn" });
const { METRICS_ADDRESS } = config;
const nginxVersion = spawnSync(NGINX, ["-v"], { encoding: "utf8" }).stderr;
const settings = gatewaySettings(config, {
  nginxVersion,
  nameServers: nameServersIn(readFileSync("/etc/resolv.conf", "utf8")),
  metricsAddress: METRICS_ADDRESS && (await metricsAddressOf(METRICS_ADDRESS, logger)),
  runDirectory: join(directory, "run"),
});
await renderGateway(settings, directory);
logBootWarnings(settings, logger);
const nginx = [NGINX, ...nginxArguments(directory)];
const command =
  settings.TLS === "on" && settings.sharesTickets
    ? reloadingCommand(nginx, join(settings.CERTIFICATES_DIR, TICKETS_FILE))
    : nginx;
process.execve?.(command[0] ?? NGINX, command, process.env);
