import { type Config, type Environment, loadConfig } from '../config/index.ts';
import { checkMasterKey, Database, type DatabaseUrls, joinDatabases, migrate } from '../database/index.ts';
import { keepMasterKey, type MasterKey } from '../security/index.ts';

/** One environment's data, as the operator's commands reach it: beside a running service, or with none running. */
export interface Installation {
  config: Config;
  database: Database;
  masterKey: MasterKey;
  close(): Promise<void>;
}

/** The settings are wrong; `problems` names each with its fix. */
export class InvalidConfig extends Error {
  readonly problems: ReadonlyArray<{ name: string; problem: string }>;

  constructor(problems: ReadonlyArray<{ name: string; problem: string }>) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
    this.problems = problems;
  }
}

/** The checked settings of this machine. */
export function readConfig(environment: Environment): Config {
  const { config, problems } = loadConfig(environment);
  if (config === undefined) {
    throw new InvalidConfig(problems);
  }
  return config;
}

/** Opens production or the sandbox; its schema is brought up to date first. */
export async function openInstallation(
  environment: Environment,
  name: 'production' | 'sandbox',
): Promise<Installation> {
  const config = readConfig(environment);
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  const urls = await joinDatabases(config, () => undefined);
  const database = new Database(urls[name], { connections: 4, maxWaiting: 100 }, () => undefined);
  try {
    await migrate(urls[name]);
    await checkMasterKey(database, masterKey);
    return { config, database, masterKey, close: () => closeBoth(database, urls) };
  } catch (error) {
    await closeBoth(database, urls);
    throw error;
  }
}

async function closeBoth(database: Database, urls: DatabaseUrls): Promise<void> {
  await database.close();
  await urls.close();
}
