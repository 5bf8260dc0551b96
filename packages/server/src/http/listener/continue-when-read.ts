import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/**
 * Sends `100 Continue` when the body is first read, not when the request arrives: a request refused by its headers,
 * such as one with a body over the limit, is refused before the client sends the body (RFC 9110 section 10.1.1).
 */
export function continueWhenRead(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    // After the response is sent, Node.js reads and discards the rest of the body.
    if (!response.headersSent && !response.writableEnded) response.writeContinue();
    read(size);
  };
}
