import type { RelayedRequest } from '../http/index.ts';
import type { LogLevel } from '../log/index.ts';

export type EnvironmentName = 'production' | 'sandbox';

/** The start options of a request process. Sent over a private pipe, because they contain secrets. */
export interface Order {
  /** The name of the process in the log. */
  name: string;
  /** The environment variables of the service, from which the process reads its settings. */
  settings: Readonly<Record<string, string>>;
  urls: { production: string; sandbox: string | undefined };
  version: string;
  /** How many processes share the work, which determines how many database connections each may open. */
  processes: number;
  /** The environments whose requests it answers. */
  serves: readonly EnvironmentName[];
  /** 48 bytes in base64. With a shared key, a client can resume its TLS session at any of the processes. */
  ticketKeys: string;
  isDraining: boolean;
}

/** Messages from the supervisor to a request process. */
export type ToProcess =
  | { kind: 'begin'; order: Order }
  /** The connection itself is sent along. */
  | { kind: 'connection'; id: number; environment: EnvironmentName }
  | { kind: 'ask'; id: number; question: 'metrics' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'certificate'; environment: EnvironmentName; cert: string; key: string }
  | { kind: 'log-level'; level: LogLevel }
  /** Keeps serving, and asks clients to reconnect elsewhere. */
  | { kind: 'drain' }
  | { kind: 'stop'; graceMs: number };

/** Messages from a request process to its supervisor. */
export type ToSupervisor =
  /** It serves, and accepts connections. */
  | { kind: 'ready' }
  /** It has received a connection; until then, the supervisor may pass it to another one. */
  | { kind: 'taken'; id: number }
  | { kind: 'closed'; id: number }
  | { kind: 'ask'; id: number; question: Question }
  | { kind: 'answer'; id: number; value: unknown }
  /** There is work for a job that the supervisor runs. */
  | { kind: 'ring'; environment: EnvironmentName; job: string };

/** Questions that a request process cannot answer alone. */
export type Question =
  | { about: 'limits'; environment: EnvironmentName; requests: readonly RelayedRequest[] }
  | { about: 'metrics'; environment: EnvironmentName }
  | { about: 'readiness'; environment: EnvironmentName };

/** The metrics of a request process: each environment's own, and its memory, CPU and event loop. */
export interface ProcessMetrics {
  environments: Partial<Record<EnvironmentName, string>>;
  process: string;
}

/** Both sides are the same program, so checking the kind of a message is enough. */
export function isToProcess(message: unknown): message is ToProcess {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/** The same for the other direction. */
export function isToSupervisor(message: unknown): message is ToSupervisor {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
