// The handler that nothing can be much faster than: Fastify as its manual shows it, with its own HTTPS server and its own
// JSON parser, sending a string that is ready. Its answers come as a JSON argument; it tells its ports as one line of JSON.
import { createServer } from 'node:tls';
import fastify from 'fastify';
import type { BareSettings } from '../rig/bare-peer.ts';

// The parent process is gone when the input ends.
process.stdin.on('end', () => process.exit()).resume();

const settings: BareSettings = JSON.parse(process.argv[2] ?? '');
const { cert, key } = settings;
const app = fastify({ https: { cert, key } });
for (const { method, url, status, body } of settings.answers) {
  app.route({
    method,
    url,
    handler: (_request, reply) => reply.code(status).type('application/json; charset=utf-8').send(body),
  });
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
