import type { Duplex } from 'node:stream';

export type ClientErrorKind =
  | 'malformed'
  | 'headers-too-large'
  | 'timeout'
  | 'unsupported-version'
  | 'expectation-failed';

export interface ClientErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type AnswerClientError = (kind: ClientErrorKind, remoteAddress: string) => ClientErrorAnswer;

const reasons: Record<ClientErrorKind, string> = {
  malformed: 'Bad Request',
  'headers-too-large': 'Request Header Fields Too Large',
  timeout: 'Request Timeout',
  'unsupported-version': 'HTTP Version Not Supported',
  'expectation-failed': 'Expectation Failed',
};

/** Classifies the HTTP/1.1 parser's error code; undefined if the connection broke and there is no one to answer. */
export function classifyError(error: Error): ClientErrorKind | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout';
  // The parser also uses this code for an invalid version string.
  if ('reason' in error && error.reason === 'Invalid HTTP version') return 'unsupported-version';
  return code.startsWith('HPE_') ? 'malformed' : undefined;
}

/** Writes a raw HTTP/1.1 response to a connection without a valid request, and closes it. */
export function writeClientError(socket: Duplex, kind: ClientErrorKind, answer: AnswerClientError): void {
  const { status, headers, body } = answer(kind, remoteAddressOf(socket));
  const all = { ...headers, Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reasons[kind]}\r\n${lines.join('')}\r\n${body}`);
  lingerThenDestroy(socket);
}

/** How long a client whose request was cut off has to read the response. */
export const lingerMs = 1000;

/**
 * Closing a socket with unread bytes resets the connection, and the reset may overtake our response (RFC 9112 section
 * 9.6). So incoming data is read and discarded for a moment, until the client has closed as well.
 */
export function lingerThenDestroy(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

function remoteAddressOf(socket: Duplex): string {
  return 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : '';
}
