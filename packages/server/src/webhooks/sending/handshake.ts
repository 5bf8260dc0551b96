import type { TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { AttemptFailure, errorOfConnecting } from './attempt-errors.ts';
import type { EarlyEnd } from './early-end.ts';

/** An established connection and its dialed address; null if only the proxy knows it. */
export interface Dialled {
  socket: TLSSocket;
  address: string | null;
}

/** Opens a connection to the URL's origin, within what the guard allows; rejects with an AttemptFailure. */
export type Dial = (url: URL, ending: EarlyEnd) => Promise<Dialled>;

/**
 * Connects and performs the handshake; the returned socket is verified. If the attempt ends early, the socket is
 * destroyed.
 */
export function shakeHands(
  options: ConnectionOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>,
  ending: EarlyEnd,
  fallbackAddress: string | null,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  ending.throwIfEnded();
  const socket = connect({
    ...options,
    // The environment can turn verification off with NODE_TLS_REJECT_UNAUTHORIZED; deliveries ignore that.
    rejectUnauthorized: true,
    // No h2: with one connection per request, a slow response does not delay another.
    ALPNProtocols: ['http/1.1'],
    // Node offers a post-quantum key first, which is a quarter of the handshake's cost; if a thousand receivers hang,
    // this slows down seats.
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
  // This listener stays, because an error on a socket without a listener would end the process.
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
