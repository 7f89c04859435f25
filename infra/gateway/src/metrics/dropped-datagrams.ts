/**
 * How many datagrams the kernel dropped because the receiver was too slow.
 * @param table content of /proc/net/udp; proc(5) describes its columns
 * @param port the receiver's port
 */
export function droppedDatagrams(table: string, port: number): number {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, localAddress = ""]) => localAddress.endsWith(`:${hexPort}`))
    .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
}
