import type { ServerResponse } from 'node:http';

/**
 * Writes a body no faster than its client takes it. TLS encrypts all that it is given at once, so a body that is handed
 * over whole is in memory a second time for as long as its reader takes, and encrypting it holds everyone else up:
 * 500 slow readers of a document of 2 MB took 2 GB and let other requests wait for 23 seconds.
 */
export function writeBody(response: ServerResponse, body: string | Buffer): void {
  if (body.length <= PIECE_BYTES) {
    response.end(body);
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const writeFrom = (start: number) => {
    const end = start + PIECE_BYTES;
    if (response.destroyed) {
      return;
    }
    if (end >= bytes.length) {
      response.end(bytes.subarray(start));
      return;
    }
    // Called once the connection has taken the piece. A piece is a view: all readers of a document share its bytes.
    response.write(bytes.subarray(start, end), (error) => {
      if (!error) {
        takeTurn(() => writeFrom(end));
      }
    });
  };
  takeTurn(() => writeFrom(0));
}

/**
 * Writes a body that is made while it is read, at the pace of its client: the next part is asked for when the connection has
 * taken the last one, and none once the client has gone. A failure in the middle cuts the connection, so that half an answer
 * is not taken for a whole one, and is thrown.
 */
export async function writeParts(response: ServerResponse, parts: AsyncIterable<string>): Promise<void> {
  try {
    for await (const part of parts) {
      if (!(await writePart(response, Buffer.from(part)))) {
        return;
      }
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Returns whether the client is still there. */
function writePart(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      response.off('close', leave);
      resolve(isThere);
    };
    const leave = () => finish(false);
    const writeFrom = (start: number) => {
      if (response.destroyed) {
        finish(false);
      } else if (start >= bytes.length) {
        finish(true);
      } else {
        const end = start + PIECE_BYTES;
        response.write(bytes.subarray(start, end), (error) => (error ? finish(false) : takeTurn(() => writeFrom(end))));
      }
    };
    // A connection that breaks need not report what was written to it last.
    response.once('close', leave);
    takeTurn(() => writeFrom(0));
  });
}

/** Two TLS records. Each slow reader costs about twice that. */
const PIECE_BYTES = 32_768;

/**
 * The pieces of all large bodies wait in one queue, and only a few are written in each turn of the event loop. A small
 * request takes several turns from its handshake to its answer; with 500 readers whose pieces were all written in each
 * turn, it waited for ten times as long.
 */
function takeTurn(write: () => void): void {
  waiting.push(write);
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(writeSome);
  }
}

function writeSome(): void {
  for (const write of waiting.splice(0, PIECES_PER_TURN)) {
    write();
  }
  isScheduled = waiting.length > 0;
  if (isScheduled) {
    setImmediate(writeSome);
  }
}

const PIECES_PER_TURN = 8;
const waiting: Array<() => void> = [];
let isScheduled = false;
