import { createLogger, type Logger } from "../logger.ts";

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

export function createTestLogger(): { logger: Logger; lines: LogLine[]; text(): string } {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: "test", level: "debug" }, destination);
  return { logger, lines, text: () => JSON.stringify(lines) };
}
