import { readConfigAtBoot } from "@tapthru/runtime/boot-config";
import { runParts } from "@tapthru/runtime/lifecycle";
import { createLogger } from "@tapthru/runtime/logger";
import { startTracing } from "@tapthru/runtime/start-tracing";
import { readConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { createParts } from "./server.ts";

const config = readConfigAtBoot("api", readConfig);
const logger = createLogger({ service: "api", level: config.LOG_LEVEL });
const traces = await startTracing("api", config);
const context = createContext(config, logger);
await runParts(logger, [...traces, ...createParts(config, context)]);
logger.info({ event: "service_started", host: config.HOST, port: config.PORT }, "api started");
