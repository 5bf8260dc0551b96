import { connect, type Socket } from 'node:net';

/** A request as bytes: requests that a client library would refuse to send must get through. */
export interface RawRequest {
  method: string;
  /** Characters up to U+00FF, each sent as one byte. */
  target: string;
  /** The same for the values. */
  headers: ReadonlyArray<readonly [string, string]>;
  body: Buffer | undefined;
  isChunked: boolean;
}

export interface RawAnswer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** One connection at a time, reopened when the server closes it. */
export class RawConnection {
  readonly #open: () => Socket;
  #socket: Socket | undefined;

  constructor(open: () => Socket) {
    this.#open = open;
  }

  static to(port: number): RawConnection {
    return new RawConnection(() => connect(port, '127.0.0.1'));
  }

  async send(request: RawRequest): Promise<RawAnswer> {
    return this.sendBytes(encode(request), request.method === 'HEAD');
  }

  /** Sends the bytes and reads one answer. Rejects if the connection ends or 20 s pass without one. */
  async sendBytes(bytes: Buffer, isHead = false): Promise<RawAnswer> {
    // Writing to a connection that the server has closed fails, yet its answer may still be readable: the close
    // decides.
    const socket = this.#socket?.writable === true ? this.#socket : this.#open().on('error', () => undefined);
    this.#socket = socket;
    const answer = await exchange(socket, bytes, isHead);
    if (answer.headers.get('connection') === 'close' || isStream(answer.headers)) {
      this.close();
    }
    return answer;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

export function encode({ method, target, headers, body, isChunked }: RawRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: api.test',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body === undefined) {
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  }
  lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([head, isChunked ? encodeChunks(body) : body]);
}

/** One answer parsed from its bytes, or undefined while some are missing. */
export function parseAnswer(bytes: Buffer, isHead: boolean): RawAnswer | undefined {
  return readAnswer(bytes, isHead)?.answer;
}

/** Consecutive answers. `isHead` tells by index which of them have no body. */
function parseAnswers(bytes: Buffer, isHead: readonly boolean[]): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; ; ) {
    const read = readAnswer(rest, isHead[answers.length] ?? false);
    if (read === undefined) {
      return answers;
    }
    answers.push(read.answer);
    rest = rest.subarray(read.length);
  }
}

function readAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) {
    return undefined;
  }
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const length = isHead ? 0 : Number(headers.get('content-length') ?? 0);
  const start = end + 4;
  const body = bytes.subarray(start);
  if (!isHead && isStream(headers)) {
    // It does not end by itself, so only its head is waited for.
    return { answer: { status, headers, body: '' }, length: bytes.length };
  }
  if (!isHead && headers.get('transfer-encoding') === 'chunked') {
    const whole = decodeChunks(body.toString('latin1'));
    return whole === undefined
      ? undefined
      : { answer: { status, headers, body: fromLatin1(whole.text) }, length: start + whole.length };
  }
  return body.length < length
    ? undefined
    : { answer: { status, headers, body: body.subarray(0, length).toString() }, length: start + length };
}

const isStream = (headers: RawAnswer['headers']) => headers.get('content-type') === 'text/event-stream';

const fromLatin1 = (text: string) => Buffer.from(text, 'latin1').toString();

/** Only ever ends a hang. */
const PATIENCE_MS = 300_000;

/** Sends the bytes on a separate connection and reads until the server closes it. `endsEarly` closes our half. */
export function converse(
  port: number,
  bytes: Buffer,
  isHead: readonly boolean[],
  endsEarly = false,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const timer = setTimeout(() => reject(new Error('the connection is still open')), PATIENCE_MS);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseAnswers(Buffer.concat(chunks), isHead));
    });
    socket.write(bytes);
    if (endsEarly) {
      socket.end();
    }
  });
}

function exchange(socket: Socket, bytes: Buffer, isHead: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => finish(() => reject(new Error('no answer came'))), PATIENCE_MS);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, isHead);
      if (answer !== undefined) {
        finish(() => resolve(answer));
      }
    };
    const onClose = () => finish(() => reject(new Error(`the connection ended after ${received.length} bytes`)));
    socket.on('data', onData).on('close', onClose);
    socket.write(bytes);
  });
}

function encodeChunks(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** The text of the chunks and their total length, or undefined while the last one is missing. */
function decodeChunks(text: string): { text: string; length: number } | undefined {
  let whole = '';
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (lineEnd === -1 || text.length < next) {
      return undefined;
    }
    if (size === 0) {
      return { text: whole, length: next };
    }
    whole += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}
