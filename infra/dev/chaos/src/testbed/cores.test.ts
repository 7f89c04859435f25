import { expect, it } from "vitest";
import { allowedCores } from "./cores.ts";

it("reads the cores that a process may use", () => {
  const status = (list: string) =>
    `Cpus_allowed:\tf\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`;
  expect(allowedCores(status("0-3"))).toEqual([0, 1, 2, 3]);
  expect(allowedCores(status("2,5-6"))).toEqual([2, 5, 6]);
  expect(allowedCores(status("7"))).toEqual([7]);
});
