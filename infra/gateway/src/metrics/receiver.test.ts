import { expect, it } from "vitest";
import { droppedDatagrams } from "./receiver.ts";

const TABLE = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  370: 00000000:158A 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 41 2 0000000000000000 17
  371: 0100007F:158B 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 42 2 0000000000000000 4
`;

it("counts the datagrams that the kernel dropped at one port", () => {
  expect(droppedDatagrams(TABLE, 5514)).toBe(17);
  expect(droppedDatagrams(TABLE, 5515)).toBe(4);
  expect(droppedDatagrams(TABLE, 5516)).toBe(0);
  expect(droppedDatagrams("", 5514)).toBe(0);
});
