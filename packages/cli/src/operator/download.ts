import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fetch } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';

/** A `fetch` that writes the body of a success to a file as it arrives. */
export interface Download {
  fetch: Fetch;
  /** Moves the complete file into place, or removes a partial one. */
  finish(isComplete: boolean): Promise<void>;
}

/**
 * Sends requests whose response is written to a file, or to standard output without a path, because the client would
 * keep all of it in memory. The file gets its name only when it is complete. Throws unwritable_file before any request.
 */
export async function createDownload(path: string | undefined): Promise<Download> {
  const draft = `${path}.part`;
  if (path !== undefined) {
    await createFile(draft);
  }
  // Another attempt overwrites the file.
  const write = (body: ReadableStream) =>
    path === undefined
      ? pipeline(Readable.fromWeb(body), process.stdout, { end: false })
      : pipeline(Readable.fromWeb(body), createWriteStream(draft));
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

async function createFile(path: string): Promise<void> {
  await writeFile(path, '').catch((error: unknown) => {
    throw new CommandFailure('unwritable_file', error instanceof Error ? error.message : String(error));
  });
}
