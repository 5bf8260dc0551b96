import type { ServerResponse } from 'node:http';

/**
 * Writes a body no faster than its client takes it. TLS encrypts all that it is given at once, so a body that is handed
 * over whole stands in memory a second time for as long as its reader takes, and encrypting it holds everybody else up:
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
