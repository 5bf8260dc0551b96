import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, type Environment, InvalidSettings, loadConfig } from '../config/index.ts';
import {
  COMMAND_TIMEOUTS,
  checkMasterKey,
  Database,
  type DatabaseUrls,
  findMissingMigration,
  joinDatabases,
  Standing,
} from '../database/index.ts';
import { readHttpSettings } from '../http/rate-limit/index.ts';
import { keepMasterKey, type MasterKey } from '../security/index.ts';

/** One environment's data for the operator's commands, with or without a running service. */
export interface Installation {
  config: Config;
  database: Database;
  masterKey: MasterKey;
  close(): Promise<void>;
}

/** The checked settings of this machine. */
export function requireConfig(environment: Environment): Config {
  const { config, problems } = loadConfig(environment);
  const all = [...problems, ...readHttpSettings(environment).problems];
  if (config === undefined || all.length > 0) {
    throw new InvalidSettings(all);
  }
  return config;
}

/**
 * Connects to production or the sandbox of an existing installation. Its schema is left unchanged: a command of another
 * version must not change a running service's database. Throws one clear sentence if there is no installation.
 */
export async function connectInstallation(
  environment: Environment,
  name: 'production' | 'sandbox',
): Promise<Installation> {
  const config = requireConfig(environment);
  if (name === 'sandbox' && !config.sandbox) {
    throw new Error('The sandbox is off. To turn it on, set SEATHOLD_SANDBOX to on.');
  }
  await requireInstallation(config);
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  const urls = await joinDatabases(config, () => undefined);
  const url = (name === 'sandbox' ? urls.sandbox : urls.production) ?? urls.production;
  const limits = { connections: 4, maxWaiting: 100, timeouts: COMMAND_TIMEOUTS, standing: new Standing() };
  const database = new Database(url, { ...limits, preparesStatements: config.preparedStatements }, () => undefined);
  try {
    await requireSchema(database);
    return {
      config,
      database,
      masterKey: await checkMasterKey(database, masterKey),
      close: () => closeBoth(database, urls),
    };
  } catch (error) {
    await closeBoth(database, urls);
    throw error;
  }
}

/** The enabled environments, production first. */
export function listEnvironments(environment: Environment): ReadonlyArray<'production' | 'sandbox'> {
  return requireConfig(environment).sandbox ? ['production', 'sandbox'] : ['production'];
}

/** Both production and the sandbox, for shared data; only production if the sandbox is off. */
export async function connectAllInstallations(environment: Environment): Promise<Installation[]> {
  const production = await connectInstallation(environment, 'production');
  try {
    return production.config.sandbox ? [production, await connectInstallation(environment, 'sandbox')] : [production];
  } catch (error) {
    await production.close();
    throw error;
  }
}

/** Otherwise, a command in the wrong folder would create a new, empty installation there and report success. */
export async function requireInstallation(config: Config): Promise<void> {
  const exists =
    config.databaseUrl !== undefined ||
    (await stat(join(config.dataDir, 'postgres')).catch(() => undefined)) !== undefined;
  if (!exists) {
    throw new Error(
      `No installation in ${config.dataDir}. Start the service once, or set SEATHOLD_DATA_DIR to its data folder.`,
    );
  }
}

async function requireSchema(database: Database): Promise<void> {
  const missing = await findMissingMigration(database);
  if (missing !== undefined) {
    throw new Error(
      `The database schema does not match this version: ${missing}. Run \`seathold migrate\`, or start the service.`,
    );
  }
}

async function closeBoth(database: Database, urls: DatabaseUrls): Promise<void> {
  await database.close();
  await urls.close();
}
