/** The child process of read-earnings.ts: gets the bytes of a file from its parent, and passes on the rows. */
import { serve } from "../../child-process/child.ts";
import { type FileOptions, readFile } from "./read-file.ts";

serve<FileOptions & { size: number }>(({ size, ...options }, call) => {
  const source = {
    size,
    async *read(from: number, to: number) {
      for (let at = from; at < Math.min(to, size); ) {
        const chunk = await call<Uint8Array>("read", { from: at, to });
        yield chunk;
        at += chunk.length;
      }
    },
  };
  return readFile(source, options, {
    restart: () => call("restart"),
    begin: (report) => call("begin", report),
    insert: (reportId, rows) => call("insert", { reportId, rows }),
  });
});
