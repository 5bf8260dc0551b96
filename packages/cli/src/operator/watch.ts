import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, ServerError } from '@seathold/client';

/** Shows something repeatedly until Ctrl-C, or once. Waits for a restarting service. */
export async function watch(everySeconds: number | undefined, show: () => Promise<void>): Promise<void> {
  if (everySeconds === undefined) {
    return show();
  }
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
      clearScreen();
      await (isFirst ? show() : showIfReachable(show));
      await sleep(everySeconds * 1_000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

async function showIfReachable(show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof ServerError)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
  }
}

/**
 * Without a terminal, all output is kept, and the times go to standard error, so that standard output has only data.
 */
function clearScreen(): void {
  if (process.stdout.isTTY === true) {
    process.stdout.write('\u001b[2J\u001b[H');
  } else {
    process.stderr.write(`${new Date().toISOString()}\n`);
  }
}
