import { type Environment, loadConfig } from '../config/index.ts';
import { joinDatabases, type MigrationResult, migrate } from '../database/index.ts';
import { readHttpSettings } from '../http/index.ts';
import { readConfig } from './open-installation.ts';

/** Brings the databases to the newest schema, production's alone where the sandbox is off; safe beside a running service. */
export async function migrateInstallation(
  environment: Environment,
): Promise<Array<MigrationResult & { environment: 'production' | 'sandbox' }>> {
  const urls = await joinDatabases(readConfig(environment), () => undefined);
  try {
    return [
      { environment: 'production', ...(await migrate(urls.production)) },
      ...(urls.sandbox === undefined ? [] : [{ environment: 'sandbox' as const, ...(await migrate(urls.sandbox)) }]),
    ];
  } finally {
    await urls.close();
  }
}

/** What is wrong with the settings, each by name. */
export function findConfigProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [...loadConfig(environment).problems, ...readHttpSettings(environment).problems];
}
