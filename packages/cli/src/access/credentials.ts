import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandFailure } from '../command-failure.ts';
import { withLock } from './take-lock.ts';

/** Production and sandbox have tokens of their own. */
export type Environment = 'production' | 'sandbox';

/** What `seathold login` leaves for the commands after it. */
export interface Credentials {
  base_url: string;
  token: string;
  organization: { id: string; name: string } | null;
  /** Path of the certificate authority to trust, absolute; null where the system's are enough. */
  ca: string | null;
  /** The token's id, whose it is and when it ends, if it does; null for one that was made elsewhere, which logging out leaves alone. */
  made: { token_id: string; email: string; expires_at?: string } | null;
}

/** What `seathold operator login` leaves: a token of the vendor's side, for one address. */
export interface OperatorCredentials {
  token: string;
  /** Path of the certificate authority to trust, absolute; null where the system's are enough. */
  ca: string | null;
}

type CredentialsFile = Partial<Record<Environment, Credentials>> & {
  /** By the base URL of their service: a token goes nowhere but to where it was given. */
  operators?: Record<string, OperatorCredentials>;
};
type Variables = Readonly<Record<string, string | undefined>>;

/** The file that holds the credentials, in the user's own configuration folder. */
export function credentialsPath(variables: Variables): string {
  return join(configurationFolder(variables), 'seathold', 'credentials.json');
}

/** A relative XDG_CONFIG_HOME has to be ignored (XDG Base Directory Specification). */
function configurationFolder({ XDG_CONFIG_HOME: xdg, APPDATA: appData }: Variables): string {
  if (xdg !== undefined && isAbsolute(xdg)) {
    return xdg;
  }
  if (process.platform === 'win32' && appData !== undefined && isAbsolute(appData)) {
    return appData;
  }
  return join(homedir(), '.config');
}

/** Whether the token's time is over as this machine's clock has it. The service remembers expired tokens for a while only. */
export function hasExpired({ made }: Credentials): boolean {
  return made?.expires_at !== undefined && Date.parse(made.expires_at) <= Date.now();
}

/** One environment's credentials; undefined when there are none. */
export async function readCredentials(path: string, environment: Environment): Promise<Credentials | undefined> {
  return (await readFileOf(path))[environment];
}

/**
 * Keeps one environment's credentials; the other's stay. Returns what they took the place of. A token that is given again
 * is still known as one that was made here.
 */
export async function keepCredentials(
  path: string,
  environment: Environment,
  credentials: Credentials,
): Promise<Credentials | undefined> {
  const { [environment]: replaced } = await changeFile(path, (file) => {
    const last = file[environment];
    const isSame = last?.token === credentials.token && last.base_url === credentials.base_url;
    const made = credentials.made ?? (isSame ? last.made : null);
    return { ...file, [environment]: { ...credentials, made } };
  });
  return replaced;
}

/** Forgets one environment's credentials, unless others were kept in the meantime. */
export async function forgetCredentials(path: string, environment: Environment, { token }: Credentials): Promise<void> {
  await changeFile(path, (file) => {
    const { [environment]: kept, ...rest } = file;
    return kept?.token === token ? rest : file;
  });
}

/** The operator token that is kept for an address; undefined when there is none. */
export async function readOperatorCredentials(path: string, baseUrl: string): Promise<OperatorCredentials | undefined> {
  const { operators = {} } = await readFileOf(path);
  return Object.hasOwn(operators, baseUrl) ? operators[baseUrl] : undefined;
}

/** Keeps an operator token for an address, in place of the one before. */
export async function keepOperatorCredentials(
  path: string,
  baseUrl: string,
  credentials: OperatorCredentials,
): Promise<void> {
  await changeFile(path, (file) => ({ ...file, operators: { ...file.operators, [baseUrl]: credentials } }));
}

/** Forgets the operator token of an address; false when there was none. */
export async function forgetOperatorCredentials(path: string, baseUrl: string): Promise<boolean> {
  const { operators = {} } = await changeFile(path, ({ operators: { [baseUrl]: _, ...kept } = {}, ...file }) => ({
    ...file,
    operators: kept,
  }));
  return Object.hasOwn(operators, baseUrl);
}

/** Changes the file under its lock, so that no entry is lost; returns what it held before. */
async function changeFile(path: string, change: (file: CredentialsFile) => CredentialsFile): Promise<CredentialsFile> {
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return withLock(`${path}.lock`, async () => {
    const before = await readFileOf(path);
    await replaceFile(path, `${JSON.stringify(change(before), undefined, 2)}\n`);
    return before;
  });
}

/** A reader gets the old file or the new one, and only the user can read either. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readFileOf(path: string): Promise<CredentialsFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return {};
    }
    throw error;
  }
  const file = parse(text);
  if (!isCredentialsFile(file)) {
    // Not quoted: it may hold a token.
    throw new CommandFailure(
      'invalid_credentials_file',
      `${path} was not written by this command. Remove it, then log in again.`,
    );
  }
  return file;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCredentialsFile(value: unknown): value is CredentialsFile {
  return (
    isObject(value) &&
    [value.production, value.sandbox].every((each) => each === undefined || isCredentials(each)) &&
    (value.operators === undefined ||
      (isObject(value.operators) && Object.values(value.operators).every(isOperatorCredentials)))
  );
}

function isOperatorCredentials(value: unknown): value is OperatorCredentials {
  return isObject(value) && typeof value.token === 'string' && isNullOr(value.ca, (each) => typeof each === 'string');
}

function isCredentials(value: unknown): value is Credentials {
  return (
    isObject(value) &&
    typeof value.base_url === 'string' &&
    typeof value.token === 'string' &&
    isNullOr(value.organization, (each) => isObject(each) && hasTexts(each, ['id', 'name'])) &&
    isNullOr(value.ca, (each) => typeof each === 'string') &&
    isNullOr(value.made, isMade)
  );
}

function isMade(value: unknown): boolean {
  return (
    isObject(value) &&
    hasTexts(value, ['token_id', 'email']) &&
    (value.expires_at === undefined || typeof value.expires_at === 'string')
  );
}

function isNullOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === null || is(value);
}

function hasTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
