import { readConfigAtBoot } from "@tapthru/runtime/config/configs";
import { runComponents } from "@tapthru/runtime/lifecycle";
import { createLogger } from "@tapthru/runtime/logger";
import { createContext } from "./context.ts";
import { createComponents } from "./server.ts";

const config = readConfigAtBoot("redirect");
const logger = createLogger({ service: "redirect", level: config.LOG_LEVEL });
const context = createContext(config, logger);
await runComponents(logger, await createComponents(config, context));
logger.info({ event: "service_started", host: config.HOST, port: config.PORT }, "redirect started");
