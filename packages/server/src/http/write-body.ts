import type { ServerResponse } from 'node:http';

/**
 * Writes a body no faster than its client reads it. TLS immediately encrypts everything it gets, so a body written as a
 * whole is in memory a second time until it is read, and encrypting it delays everyone else: 500 slow readers of a 2 MB
 * document took 2 GB and delayed other requests by 23 seconds.
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
    // Called after the connection has taken the piece. A piece is a view: all readers of a document share its bytes.
    response.write(bytes.subarray(start, end), (error) => {
      if (!error) {
        takeTurn(() => writeFrom(end));
      }
    });
  };
  takeTurn(() => writeFrom(0));
}

/**
 * Writes a body that is created while it is read, at the pace of its client: the next part is requested when the
 * connection has taken the last one, and none after the client has disconnected. A failure in the middle closes the
 * connection, so that a partial response is not mistaken for a complete one, and is thrown.
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
    // A broken connection may not report the last write.
    response.once('close', leave);
    takeTurn(() => writeFrom(0));
  });
}

/** Two TLS records. Each slow reader costs about twice as much. */
const PIECE_BYTES = 32_768;

/**
 * The pieces of all large bodies wait in one queue, and only a few are written in each turn of the event loop. A small
 * request takes several turns from its handshake to its response; with 500 readers whose pieces were all written in
 * each turn, it took ten times as long.
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
