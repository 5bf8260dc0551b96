import type { Config } from '../config/index.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/index.ts';

/** Where the data of both environments lies, for as long as it is open. */
export interface DatabaseUrls {
  production: string;
  sandbox: string;
  /** Whether the embedded PostgreSQL holds them. */
  isEmbedded: boolean;
  /** Stops the embedded PostgreSQL if it was started here. */
  close(): Promise<void>;
}

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'sandboxDatabaseUrl' | 'dataDir'>;
type Report = (message: string, fields?: object) => void;

/** The external databases where they are set, else the embedded one, started here; a second service is refused. */
export async function openDatabases(settings: DatabaseSettings, report: Report): Promise<DatabaseUrls> {
  const external = externalUrls(settings);
  if (external !== undefined) {
    return external;
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    databases: Object.values(DATABASES),
    log: report,
  });
  return { ...urlsOf(postgres), close: () => postgres.stop() };
}

/** The same for a command beside a running service: it joins the service's PostgreSQL instead of starting one. */
export async function joinDatabases(settings: DatabaseSettings, report: Report): Promise<DatabaseUrls> {
  const running = externalUrls(settings) === undefined ? await findEmbeddedPostgres(settings.dataDir) : undefined;
  return running === undefined
    ? openDatabases(settings, report)
    : { ...urlsOf(running), close: () => Promise.resolve() };
}

const DATABASES = { production: 'seathold_production', sandbox: 'seathold_sandbox' } as const;

function urlsOf(postgres: { urlOf(database: string): string }) {
  return {
    production: postgres.urlOf(DATABASES.production),
    sandbox: postgres.urlOf(DATABASES.sandbox),
    isEmbedded: true,
  };
}

function externalUrls(settings: DatabaseSettings): DatabaseUrls | undefined {
  const { databaseUrl: production, sandboxDatabaseUrl: sandbox } = settings;
  return production === undefined || sandbox === undefined
    ? undefined
    : { production, sandbox, isEmbedded: false, close: () => Promise.resolve() };
}
