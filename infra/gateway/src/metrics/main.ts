import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createComponents } from "./components.ts";

const config = readConfigAtBoot("gateway-metrics");
const logger = createLogger({ service: "gateway-metrics", level: config.LOG_LEVEL });
const { HOST: host, SYSLOG_PORT: syslogPort, ADMIN_PORT: adminPort } = config;
const version = config.TAPTHRU_VERSION;
await runComponents(logger, createComponents({ host, syslogPort, adminPort, version, logger }));
logger.info({ event: "service_started", host, syslogPort, adminPort }, "gateway-metrics started");
