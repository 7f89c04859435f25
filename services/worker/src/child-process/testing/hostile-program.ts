import { type CallParent, serve } from "../child.ts";

const loops = () => {
  for (;;);
};
const PROGRAMS: Readonly<Record<string, (call: CallParent) => unknown>> = {
  environment: () => ({ ...process.env }),
  calls: async (call) => Promise.all([call("add", [1, 2]), call("add", [3, 4])]),
  throws: () => {
    throw new TypeError("No number");
  },
  exits: () => process.exit(3),
  loops,
  allocates: () => {
    for (const texts: string[] = []; ; ) texts.push(`${texts.length} is a text`);
  },
  waits: () => new Promise(() => {}),
};

serve<string>(async (name, call) => (PROGRAMS[name] ?? loops)(call));
