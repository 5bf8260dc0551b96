import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../audit/index.ts';
import type { Environment } from '../config/index.ts';
import { Database, joinDatabases, type MigrationResult, migrate } from '../database/index.ts';
import { requireConfig } from './connect-installation.ts';

/**
 * Brings the databases to the newest schema, only production's if the sandbox is off; safe alongside a running service.
 */
export async function migrateInstallation(
  environment: Environment,
): Promise<Array<MigrationResult & { environment: 'production' | 'sandbox' }>> {
  const urls = await joinDatabases(requireConfig(environment), () => undefined);
  try {
    return [
      { environment: 'production', ...(await migrateDatabase(urls.production)) },
      ...(urls.sandbox === undefined
        ? []
        : [{ environment: 'sandbox' as const, ...(await migrateDatabase(urls.sandbox)) }]),
    ];
  } finally {
    await urls.close();
  }
}

async function migrateDatabase(url: string): Promise<MigrationResult> {
  const result = await migrate(url);
  if (result.applied.length > 0) {
    await recordMigration(url, result);
  }
  return result;
}

/** After the migrations, because they may create the audit log itself. */
async function recordMigration(url: string, { applied, current }: MigrationResult): Promise<void> {
  const database = new Database(url, { connections: 1, maxWaiting: 1, preparesStatements: false }, () => undefined);
  try {
    await recordAudit(
      database,
      { ...OPERATOR_COMMAND, organizationId: INSTALLATION },
      {
        action: 'schema.migrated',
        targetType: 'schema',
        targetId: current,
        after: { applied },
      },
    );
  } finally {
    await database.close();
  }
}
