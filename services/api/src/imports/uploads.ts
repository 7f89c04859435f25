import pLimit from "p-limit";
import { ApiError } from "../errors.ts";

/** Files of 10 MB that one process receives at a time. */
const MAX_RECEIVED = 10;
const MAX_RECEIVED_PER_ADDRESS = 3;
/** A file of 10 MB and its lines take about 100 MB while they are read. Other files wait. */
const MAX_READ = 2;
const RETRY_AFTER_SECONDS = 5;

interface Uploader {
  userId: number;
  address: string;
}

export interface Uploads {
  /** @throws ApiError (unavailable) if the user, the address or all together send too many files */
  receive<T>(uploader: Uploader, run: () => Promise<T>): Promise<T>;
  /** Runs a function that reads a received file, once it is its turn. */
  read<T>(run: () => Promise<T>): Promise<T>;
}

/** A user sends one file at a time, so that a few who send slowly do not keep others from it. */
export function createUploads(): Uploads {
  const received = new Set<Uploader>();
  return {
    async receive(uploader, run) {
      const all = [...received];
      const isRefused =
        all.length >= MAX_RECEIVED ||
        all.some(({ userId }) => userId === uploader.userId) ||
        all.filter(({ address }) => address === uploader.address).length >=
          MAX_RECEIVED_PER_ADDRESS;
      if (isRefused)
        throw new ApiError("unavailable", {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          reason: "Too many files are being received",
        });
      received.add(uploader);
      try {
        return await run();
      } finally {
        received.delete(uploader);
      }
    },
    read: pLimit(MAX_READ),
  };
}
