import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fetch } from '@seathold/client';

/** What a client needs to write the body of a success to a file as it arrives. */
export interface Download {
  fetch: Fetch;
  /** Puts the complete file in its place, or removes what there is of it. */
  finish(isComplete: boolean): Promise<void>;
}

/**
 * Sends requests whose answer goes to a file, or to standard output without a path: the client would hold all of it in
 * memory. The file has its name only once it is complete.
 */
export function createDownload(path: string | undefined): Download {
  const draft = `${path}.part`;
  const write = async (body: ReadableStream) => {
    if (path === undefined) {
      await pipeline(Readable.fromWeb(body), process.stdout, { end: false });
      return;
    }
    const file = await open(draft, 'w');
    await pipeline(Readable.fromWeb(body), file.createWriteStream());
  };
  return {
    fetch: async (url, request) => {
      const response = await fetch(url, request);
      const { status, headers, body } = response;
      return {
        status,
        headers,
        text: () => response.text(),
        arrayBuffer: async () => {
          await (body === null ? undefined : write(body));
          return new ArrayBuffer(0);
        },
      };
    },
    finish: async (isComplete) => {
      if (path !== undefined) {
        await (isComplete ? rename(draft, path) : rm(draft, { force: true }));
      }
    },
  };
}
