import { connect, type Socket } from 'node:net';

/** A request as bytes: what a client library would refuse to send has to get through. */
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

/** One connection at a time, opened again when the server closes it. */
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

  /** Sends the bytes and reads one answer; rejects when the connection ends or 20 s pass without one. */
  async sendBytes(bytes: Buffer, isHead = false): Promise<RawAnswer> {
    // Writing to a connection that the server has closed fails, yet its answer may be there to read: the close decides.
    const socket = this.#socket?.writable === true ? this.#socket : this.#open().on('error', () => undefined);
    this.#socket = socket;
    const answer = await exchange(socket, bytes, isHead);
    if (answer.headers.get('connection') === 'close') {
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
  return Buffer.concat([head, isChunked ? inChunks(body) : body]);
}

/** What one answer's bytes say, or undefined while some are missing. */
export function parseAnswer(bytes: Buffer, isHead: boolean): RawAnswer | undefined {
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
  const body = bytes.subarray(end + 4);
  if (!isHead && headers.get('transfer-encoding') === 'chunked') {
    const text = outOfChunks(body.toString('latin1'));
    return text === undefined ? undefined : { status, headers, body: Buffer.from(text, 'latin1').toString() };
  }
  return body.length < length ? undefined : { status, headers, body: body.subarray(0, length).toString() };
}

function exchange(socket: Socket, bytes: Buffer, isHead: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => finish(() => reject(new Error('no answer came within 20 s'))), 20_000);
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

function inChunks(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** The text of the chunks, or undefined while the last one is missing. */
function outOfChunks(text: string): string | undefined {
  let whole = '';
  for (let rest = text; ; ) {
    const lineEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, lineEnd), 16);
    if (lineEnd === -1 || rest.length < lineEnd + 2 + size + 2) {
      return undefined;
    }
    if (size === 0) {
      return whole;
    }
    whole += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.slice(lineEnd + 2 + size + 2);
  }
}
