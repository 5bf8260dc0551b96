/** The resources that a client may use before it is disconnected. Times in milliseconds. */
export interface ListenerLimits {
  /** Open TCP connections; more are dropped as they arrive. */
  readonly maxConnections: number;
  /** Open connections of one client address (IPv6: of one /64); Infinity for no limit. Trusted proxies are not limited. */
  readonly maxConnectionsPerAddress: number;
  /** From the connection to its first byte, and again to the end of the TLS handshake. */
  readonly handshakeMs: number;
  readonly headersMs: number;
  /** For a whole request, body included. */
  readonly requestMs: number;
  /** How long a connection without a request is kept open. */
  readonly idleMs: number;
  /** How long a connection with a request may be silent in both directions, unless it waits for our response. */
  readonly stalledMs: number;
  /** The minimum rate at which a client must read a waiting response, averaged over `readWindowMs`. */
  readonly minReadBytesPerSecond: number;
  readonly readWindowMs: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaderCount: number;
  readonly maxConcurrentStreams: number;
  /** HTTP/2 stream resets: a burst, then a rate per second; a session beyond that is closed. */
  readonly resetBurst: number;
  readonly resetsPerSecond: number;
}

export const defaultLimits: ListenerLimits = {
  maxConnections: 10_000,
  maxConnectionsPerAddress: 1_000,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stalledMs: 120_000,
  minReadBytesPerSecond: 1_024,
  readWindowMs: 30_000,
  maxHeaderBytes: 16_384,
  maxHeaderCount: 100,
  maxConcurrentStreams: 128,
  resetBurst: 200,
  resetsPerSecond: 33,
};
