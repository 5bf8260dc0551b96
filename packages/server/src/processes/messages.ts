import type { RelayedRequest } from '../http/index.ts';
import type { LogLevel } from '../log/index.ts';

export type EnvironmentName = 'production' | 'sandbox';

/** What a request process is started with. It travels over a private pipe, since it holds secrets. */
export interface Order {
  /** How the log names the process. */
  name: string;
  /** The environment variables of the service, from which the process reads its settings. */
  settings: Readonly<Record<string, string>>;
  urls: { production: string; sandbox: string | undefined };
  version: string;
  /** How many processes share the work, which decides how many database connections each may open. */
  processes: number;
  /** The environments whose requests it answers. */
  serves: readonly EnvironmentName[];
  /** 48 bytes in base64. With one key a client resumes its TLS session at any of the processes. */
  ticketKeys: string;
  isDraining: boolean;
}

/** What the supervisor says to a request process. */
export type ToProcess =
  | { kind: 'begin'; order: Order }
  /** The connection itself comes along. */
  | { kind: 'connection'; id: number; environment: EnvironmentName }
  | { kind: 'ask'; id: number; question: 'metrics' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'certificate'; environment: EnvironmentName; cert: string; key: string }
  | { kind: 'log-level'; level: LogLevel }
  /** Goes on serving, and asks clients to go elsewhere. */
  | { kind: 'drain' }
  | { kind: 'stop'; graceMs: number };

/** What a request process says to its supervisor. */
export type ToSupervisor =
  /** It serves, and takes connections. */
  | { kind: 'ready' }
  /** It has a connection that was handed to it; until then the supervisor may hand it to another one. */
  | { kind: 'taken'; id: number }
  | { kind: 'closed'; id: number }
  | { kind: 'ask'; id: number; question: Question }
  | { kind: 'answer'; id: number; value: unknown }
  /** There is work for a job that the supervisor runs. */
  | { kind: 'ring'; environment: EnvironmentName; job: string };

/** What a request process cannot answer alone. */
export type Question =
  | { about: 'limits'; environment: EnvironmentName; requests: readonly RelayedRequest[] }
  | { about: 'metrics'; environment: EnvironmentName }
  | { about: 'readiness'; environment: EnvironmentName };

/** What a request process has counted: each environment's own metrics, and its memory, CPU and event loop. */
export interface ProcessMetrics {
  environments: Partial<Record<EnvironmentName, string>>;
  process: string;
}

/** Both sides are the same program, so the kind of a message is all that has to be told apart. */
export function isToProcess(message: unknown): message is ToProcess {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/** The same for the other direction. */
export function isToSupervisor(message: unknown): message is ToSupervisor {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
