import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes lines and writes them in the background. */
export interface LineStream {
  write(line: string): void;
  /** How many lines were dropped since it was last asked, because what waits is bounded. */
  takeDropped(): number;
  /** Writes out what waits. */
  close(): Promise<void>;
}

/** A pipe takes this much in one piece, so that no line that others write at the same time falls into the middle of one. */
const CHUNK_CHARACTERS = 4_096;
const WRITE_AFTER_MS = 200;
const MOST_WAITING_CHARACTERS = 4 * 1_048_576;
/** How long a reader of a full pipe gets until it is asked again. */
const FULL_PIPE_PAUSE_MS = 20;

/**
 * Writes lines (ASCII) to a file descriptor in portions, in the thread pool: whoever adds a line waits for nothing. What
 * waits when the process ends is written out before it does, after a crash as well; only a kill loses it.
 */
export function openLineStream(fd: number): LineStream {
  const waiting: string[] = [];
  let characters = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const takeChunk = () => {
    let taken = 0;
    let chunk = '';
    for (const line of waiting) {
      if (taken > 0 && chunk.length + line.length > CHUNK_CHARACTERS) break;
      chunk += line;
      taken += 1;
    }
    waiting.splice(0, taken);
    characters -= chunk.length;
    return chunk;
  };
  const writeOut = async () => {
    while (waiting.length > 0) {
      for (let rest = takeChunk(); rest !== ''; ) {
        rest = rest.slice(await writeSome(fd, rest));
      }
    }
    writing = undefined;
  };
  const begin = () => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeOut();
  };
  const onExit = () => {
    // The thread pool finishes what it has begun.
    for (let rest = waiting.splice(0).join(''); rest !== ''; ) {
      try {
        rest = rest.slice(writeSync(fd, rest));
      } catch (error) {
        if (!isFull(error)) return;
      }
    }
  };
  process.on('exit', onExit);
  return {
    write: (line) => {
      if (characters + line.length > MOST_WAITING_CHARACTERS) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      characters += line.length;
      if (characters >= CHUNK_CHARACTERS) {
        begin();
      } else if (timer === undefined) {
        timer = setTimeout(begin, WRITE_AFTER_MS);
        timer.unref();
      }
    },
    takeDropped: () => {
      const count = dropped;
      dropped = 0;
      return count;
    },
    close: async () => {
      begin();
      await writing;
      process.removeListener('exit', onExit);
    },
  };
}

/** How many characters were written; all of them, as far as anybody can tell, when nobody reads any more. */
async function writeSome(fd: number, text: string): Promise<number> {
  const { error, count } = await new Promise<{ error: Error | null; count: number }>((resolve) =>
    write(fd, text, (error, count) => resolve({ error, count })),
  );
  if (error === null) {
    return count;
  }
  if (!isFull(error)) {
    return text.length;
  }
  await sleep(FULL_PIPE_PAUSE_MS, undefined, { ref: false });
  return 0;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
