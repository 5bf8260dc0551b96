import type { Config } from '../config/index.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/index.ts';

/** The databases of both environments, while they are open. */
export interface DatabaseUrls {
  production: string;
  /** Undefined if the sandbox is off. */
  sandbox: string | undefined;
  /** Whether they are in the embedded PostgreSQL. */
  isEmbedded: boolean;
  /** Prepares for closing, so that `close` is quick. */
  prepareClose?(): Promise<void>;
  /** Stops the embedded PostgreSQL if it was started here. */
  close(): Promise<void>;
}

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'sandboxDatabaseUrl' | 'dataDir' | 'sandbox'>;
type Report = (message: string, fields?: object) => void;

export interface DatabaseOptions {
  report: Report;
  /** Called when another process has taken the embedded PostgreSQL's folder, and nothing more can be served. */
  onLost?: () => void;
  /** How many connections the embedded PostgreSQL allows; 100 by default. */
  connections?: number;
  /** Server settings for the embedded PostgreSQL that override ours. */
  serverSettings?: Readonly<Record<string, string>>;
  /** The embedded PostgreSQL need not survive a power failure, because its folder is temporary. */
  isThrownAway?: boolean;
}

/** The external databases if they are set, otherwise the embedded one, started here; a second service is refused. */
export async function connectDatabases(
  settings: DatabaseSettings,
  { report, onLost, connections, serverSettings = {}, isThrownAway = false }: DatabaseOptions,
): Promise<DatabaseUrls> {
  const external = externalUrls(settings);
  if (external !== undefined) {
    return external;
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    databases: settings.sandbox ? [DATABASES.production, DATABASES.sandbox] : [DATABASES.production],
    log: report,
    settings: { ...(connections === undefined ? {} : { max_connections: String(connections) }), ...serverSettings },
    isDurable: !isThrownAway,
    ...(onLost === undefined ? {} : { onLost }),
  });
  return { ...urlsOf(postgres, settings), prepareClose: () => postgres.prepareStop(), close: () => postgres.stop() };
}

/** The same for a command alongside a running service: it joins the service's PostgreSQL instead of starting one. */
export async function joinDatabases(settings: DatabaseSettings, report: Report): Promise<DatabaseUrls> {
  const running = externalUrls(settings) === undefined ? await findEmbeddedPostgres(settings.dataDir) : undefined;
  return running === undefined
    ? connectDatabases(settings, { report })
    : { ...urlsOf(running, settings), close: () => Promise.resolve() };
}

/** The names of the databases in the embedded PostgreSQL. */
export const DATABASES = { production: 'seathold_production', sandbox: 'seathold_sandbox' } as const;

function urlsOf(postgres: { urlOf(database: string): string }, settings: DatabaseSettings) {
  return {
    production: postgres.urlOf(DATABASES.production),
    sandbox: settings.sandbox ? postgres.urlOf(DATABASES.sandbox) : undefined,
    isEmbedded: true,
  };
}

function externalUrls(settings: DatabaseSettings): DatabaseUrls | undefined {
  const { databaseUrl: production } = settings;
  const sandbox = settings.sandbox ? settings.sandboxDatabaseUrl : undefined;
  return production === undefined
    ? undefined
    : { production, sandbox, isEmbedded: false, close: async () => undefined };
}
