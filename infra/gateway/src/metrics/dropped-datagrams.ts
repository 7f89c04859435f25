/**
 * How many datagrams the kernel dropped as their receiver did not keep up.
 * @param table the text of /proc/net/udp, whose columns are described in the kernel's proc(5)
 * @param port of the receiver
 */
export function droppedDatagrams(table: string, port: number): number {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, localAddress = ""]) => localAddress.endsWith(`:${hexPort}`))
    .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
}
