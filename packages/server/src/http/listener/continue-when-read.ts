import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/**
 * Sends `100 Continue` when the body is first read, and not when the request arrives: a request that is refused by its
 * headers alone, such as one with a body over the limit, is refused before the client sends the body (RFC 9110 section
 * 10.1.1).
 */
export function continueWhenRead(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    // Once the answer is out, Node.js reads what is left of the body to throw it away.
    if (!response.headersSent && !response.writableEnded) response.writeContinue();
    read(size);
  };
}
