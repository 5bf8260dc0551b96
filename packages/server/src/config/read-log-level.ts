import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './load-config.ts';
import { parsers } from './parsers.ts';

/**
 * The level of the log: what the file `log-level` in the data folder says, where there is one, else the setting. The
 * environment of a process that runs cannot be changed from outside, so a file is what SIGHUP can read again.
 */
export async function readLogLevel({ dataDir, logLevel }: Config): Promise<Config['logLevel']> {
  const text = await readFile(join(dataDir, 'log-level'), 'utf8').catch(() => '');
  const level = parsers.logLevel(text.trim());
  return 'value' in level ? level.value : logLevel;
}
