import { readFileSync } from 'node:fs';
import type { Setting } from './define-setting.ts';

/** The given text of a setting; neither field if it was not set. */
export type Given = { text?: string; source: 'environment' | 'file' | 'default' } | { problem: string };

/**
 * A secret may be in a file, whose path is in a variable with `_FILE` after its name: Docker and systemd pass secrets
 * this way, and other processes of the user cannot read it from the environment. Surrounding white space is ignored.
 */
export function readGiven(
  { name, secret }: Pick<Setting<unknown>, 'name' | 'secret'>,
  environment: Readonly<Record<string, string | undefined>>,
): Given {
  const text = environment[name] || undefined;
  const path = secret === true ? environment[fileVariable(name)] || undefined : undefined;
  if (path === undefined) {
    return text === undefined ? { source: 'default' } : { text, source: 'environment' };
  }
  if (text !== undefined) {
    return { problem: `must not be set together with ${fileVariable(name)}` };
  }
  try {
    const content = readFileSync(path, 'utf8').trim();
    // Not treated as unset: without a master key, for example, the service would create a new one.
    return content === '' ? { problem: `is empty in ${fileVariable(name)}` } : { text: content, source: 'file' };
  } catch (error) {
    return { problem: `cannot be read from ${fileVariable(name)}: ${error instanceof Error ? error.message : error}` };
  }
}

/** The variable that names the file of a secret setting. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}
