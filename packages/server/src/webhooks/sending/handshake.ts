import type { TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { AttemptFailure, errorOfConnecting } from './attempt-errors.ts';
import type { EarlyEnd } from './early-end.ts';

/** A connection that stands, and the address it was dialled to; null where only the proxy knows it. */
export interface Dialled {
  socket: TLSSocket;
  address: string | null;
}

/** Opens a connection to the URL's origin, within what the guard allows; rejects with an AttemptFailure. */
export type Dial = (url: URL, ending: EarlyEnd) => Promise<Dialled>;

/** Connects and shakes hands; the socket is verified when it is handed out, and gone when the attempt ends before. */
export function shakeHands(
  options: ConnectionOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>,
  ending: EarlyEnd,
  fallbackAddress: string | null,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  ending.throwIfEnded();
  const socket = connect({
    ...options,
    // The environment can switch verification off by NODE_TLS_REJECT_UNAUTHORIZED; deliveries do not follow.
    rejectUnauthorized: true,
    // No h2: one connection per request keeps a slow answer from holding another's.
    ALPNProtocols: ['http/1.1'],
    // Node offers a post-quantum key first, which costs a quarter of the handshake; when a thousand receivers hang, seats notice.
    ecdhCurve: 'X25519:prime256v1:secp384r1:X25519MLKEM768',
  });
  let isTcpConnected = options.socket !== undefined;
  ending.onEnd(() => {
    socket.destroy();
    reject(ending.reason);
  });
  socket.once('connect', () => {
    isTcpConnected = true;
  });
  // This listener stays: an error on a socket that nobody listens to any more would end the process.
  socket.on('error', (error) =>
    reject(
      new AttemptFailure(
        errorOfConnecting(error, isTcpConnected),
        isTcpConnected ? (socket.remoteAddress ?? fallbackAddress) : fallbackAddress,
        error,
      ),
    ),
  );
  socket.once('close', () => reject(new AttemptFailure('connection_reset', fallbackAddress)));
  socket.once('secureConnect', () => {
    socket.disableRenegotiation();
    socket.setNoDelay(true);
    resolve(socket);
  });
  return promise.finally(() => ending.offEnd());
}
