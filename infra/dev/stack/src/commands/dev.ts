import { runStack } from "../stack/run-stack.ts";

await runStack({ isDev: true, args: process.argv.slice(2) });
