import { loadConfig } from '../../packages/server/src/config/index.ts';
import { connectDatabases, migrate } from '../../packages/server/src/database/index.ts';
import { makeDataDir, removeDataDir } from './service.ts';

/** Two databases of one PostgreSQL that no service works on. */
export interface Databases {
  first: string;
  second: string;
  /** Where the master key is kept. */
  dataDir: string;
}

/** Starts the embedded PostgreSQL on a new folder with both databases migrated, and takes all away afterwards. */
export async function withDatabases<Result>(work: (databases: Databases) => Promise<Result>): Promise<Result> {
  const dataDir = await makeDataDir();
  try {
    const { config } = loadConfig({ SEATHOLD_DATA_DIR: dataDir });
    if (config === undefined) {
      throw new Error('the default settings are not valid');
    }
    const urls = await connectDatabases(config, { report: () => undefined });
    try {
      const { production: first, sandbox: second = first } = urls;
      await migrate(first);
      await migrate(second);
      return await work({ first, second, dataDir });
    } finally {
      await urls.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}
