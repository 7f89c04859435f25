import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createContext } from "./context.ts";
import { createComponents } from "./server.ts";

const config = readConfigAtBoot("api");
const logger = createLogger({ service: "api", level: config.LOG_LEVEL });
const context = await createContext(config, logger);
const sendsNoEmail = context.builtIn !== null && context.emails === null;
if (sendsNoEmail && config.TAPTHRU_ENV === "production") {
  logger.warn(
    { event: "emails_not_configured" },
    "SMTP_FROM is not set: users cannot confirm an address or reset a password by email; the command `users reset-password` prints a link",
  );
}
await runComponents(logger, createComponents(config, context));
logger.info({ event: "service_started", host: config.HOST, port: config.PORT }, "api started");
