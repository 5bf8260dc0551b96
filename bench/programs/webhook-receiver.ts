// Receives deliveries as an endpoint that does nothing else, on raw TLS sockets: a general server would cost as much as what is
// measured. Its settings come as a JSON argument; it tells its port as one line of JSON and answers each order with a line.
import { createInterface } from 'node:readline';
import { createServer, type TLSSocket } from 'node:tls';
import type { Arrival, ReceiverOrder, ReceiverReport, ReceiverSettings } from '../rig/webhook-orders.ts';

const settings: ReceiverSettings = JSON.parse(process.argv[2] ?? '');
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok';

const sockets = new Set<TLSSocket>();
/** Those that have brought something since the last forgetting. */
const busy = new Set<TLSSocket>();
let count = 0;
let mostBusy = 0;
let opened = 0;
let keepsArrivals = false;
let arrivals: Arrival[] = [];
let sample: ReceiverReport['sample'] = null;

const server = createServer({ cert: settings.cert, key: settings.key }, (socket) => {
  sockets.add(socket);
  opened += 1;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    sockets.delete(socket);
    busy.delete(socket);
  });
  if (settings.hangs) {
    socket.resume();
  } else {
    answerAll(socket);
  }
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => {
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});

for await (const line of createInterface({ input: process.stdin })) {
  const order: ReceiverOrder = JSON.parse(line);
  if (order.kind === 'forget') {
    count = 0;
    busy.clear();
    mostBusy = 0;
    arrivals = [];
    keepsArrivals = order.keepsArrivals;
  } else if (order.kind === 'hang-up') {
    for (const socket of sockets) {
      socket.destroy();
    }
  }
  const report: ReceiverReport = { count, open: sockets.size, mostBusy, opened, sample, arrivals };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
// The parent process is gone when the input ends.
process.exit();

function answerAll(socket: TLSSocket): void {
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    busy.add(socket);
    mostBusy = Math.max(mostBusy, busy.size);
    rest += chunk.toString('latin1');
    for (let end = endOfRequest(rest); end !== undefined; end = endOfRequest(rest)) {
      take(rest.slice(0, end));
      rest = rest.slice(end);
      socket.write(ANSWER);
    }
  });
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) {
    return undefined;
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? undefined : end;
}

function take(request: string): void {
  count += 1;
  sample ??= parse(request);
  if (keepsArrivals) {
    arrivals.push({
      delivery: /\r\nx-service-delivery: ([^\r]+)/i.exec(request)?.[1] ?? '',
      created: /"created":"([^"]+)"/.exec(request)?.[1] ?? '',
      atMs: performance.timeOrigin + performance.now(),
    });
  }
}

function parse(request: string): ReceiverReport['sample'] {
  const [head = '', body = ''] = request.split('\r\n\r\n', 2);
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(headers), body };
}
