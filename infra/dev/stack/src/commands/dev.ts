import { runStack } from "../stack/run-stack.ts";

await runStack({ isDev: true });
