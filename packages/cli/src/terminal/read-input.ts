import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandFailure } from '../command-failure.ts';

/** The whole of standard input, or of a given file. */
export async function readInput(path: string): Promise<Buffer> {
  if (path === '-') {
    return buffer(process.stdin);
  }
  return readFile(path).catch((error: unknown) => {
    throw new CommandFailure('unreadable_file', error instanceof Error ? error.message : String(error));
  });
}
