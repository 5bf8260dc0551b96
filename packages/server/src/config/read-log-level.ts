import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './load-config.ts';
import { parsers } from './parsers.ts';

/**
 * The level of the log: the content of the file `log-level` in the data folder if it exists, otherwise the setting. The
 * environment of a running process cannot be changed from outside, but SIGHUP can read a file again.
 */
export async function readLogLevel({ dataDir, logLevel }: Config): Promise<Config['logLevel']> {
  const text = await readFile(join(dataDir, 'log-level'), 'utf8').catch(() => '');
  const level = parsers.logLevel(text.trim());
  return 'value' in level ? level.value : logLevel;
}
