// The handler that nothing can be much faster than: Fastify as its manual shows it, with its own HTTPS server and its own
// JSON parser, sending a string that is ready, with the headers that the service was seen to send. Its answers come as a
// JSON argument; it tells its ports as one line of JSON.
import { createServer } from 'node:tls';
import fastify from 'fastify';
import type { BareSettings } from '../rig/bare-peer.ts';

// The parent process is gone when the input ends.
process.stdin.on('end', () => process.exit()).resume();

const settings: BareSettings = JSON.parse(process.argv[2] ?? '');
const { cert, key } = settings;
const app = fastify({ https: { cert, key } });
for (const { method, url, status, rawHeaders, body } of settings.answers) {
  const headers = withoutOwn(rawHeaders);
  app.route({ method, url, handler: (_request, reply) => reply.code(status).headers(headers).send(body) });
}
await app.listen({ host: 'localhost', port: 0 });

// And one that reads nothing at all, to see what the load generator can do.
const [first] = settings.answers;
const canned = `HTTP/1.1 200 OK\r\nContent-Length: ${first?.body.length ?? 0}\r\n\r\n${first?.body ?? ''}`;
const echo = createServer({ cert, key }, (socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', () => socket.write(canned));
});
echo.listen({ host: 'localhost', port: 0 }, () => {
  process.stdout.write(`${JSON.stringify({ port: portOf(app.server), cannedPort: portOf(echo) })}\n`);
});

function portOf(server: { address(): ReturnType<typeof echo.address> }): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

/** The headers of a kept answer but those that Node.js and Fastify add to each by themselves. */
function withoutOwn(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]?.toLowerCase() ?? '';
    if (!['connection', 'content-length', 'date', 'keep-alive'].includes(name)) {
      headers[name] = rawHeaders[place + 1] ?? '';
    }
  }
  return headers;
}
