import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandFailure } from '../command-failure.ts';
import { withLock } from './take-lock.ts';

/** Production and sandbox have separate tokens. */
export type Environment = 'production' | 'sandbox';

/** What `seathold login` stores for later commands. */
export interface Credentials {
  base_url: string;
  token: string;
  organization: { id: string; name: string } | null;
  /** Absolute path of the certificate authority to trust; null if the system's are sufficient. */
  ca: string | null;
  /** The token's ID, owner and expiry, if any; null for one created elsewhere, which logging out does not revoke. */
  made: { token_id: string; email: string; expires_at?: string } | null;
}

/** What `seathold operator login` stores: an operator token for one URL. */
export interface OperatorCredentials {
  token: string;
  /** Absolute path of the certificate authority to trust; null if the system's are sufficient. */
  ca: string | null;
}

type CredentialsFile = Partial<Record<Environment, Credentials>> & {
  /** By the base URL of their service: a token is only sent to the service that it was given for. */
  operators?: Record<string, OperatorCredentials>;
};
type Variables = Readonly<Record<string, string | undefined>>;

/** The file that holds the credentials, in the user's own configuration folder. */
export function credentialsPath(variables: Variables): string {
  return join(configurationFolder(variables), 'seathold', 'credentials.json');
}

/** A relative XDG_CONFIG_HOME must be ignored (XDG Base Directory Specification). */
function configurationFolder({ XDG_CONFIG_HOME: xdg, APPDATA: appData }: Variables): string {
  if (xdg !== undefined && isAbsolute(xdg)) {
    return xdg;
  }
  if (process.platform === 'win32' && appData !== undefined && isAbsolute(appData)) {
    return appData;
  }
  return join(homedir(), '.config');
}

/** Whether the token has expired by this machine's clock. The service only remembers expired tokens for a while. */
export function hasExpired({ made }: Credentials): boolean {
  return made?.expires_at !== undefined && Date.parse(made.expires_at) <= Date.now();
}

/** One environment's credentials; undefined if there are none. */
export async function readCredentials(path: string, environment: Environment): Promise<Credentials | undefined> {
  return (await readFileOf(path))[environment];
}

/**
 * Stores one environment's credentials; the other's stay. Returns the replaced ones. A token that is given again still
 * counts as created here.
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

/** Deletes one environment's credentials, unless others were stored in the meantime. */
export async function forgetCredentials(path: string, environment: Environment, { token }: Credentials): Promise<void> {
  await changeFile(path, (file) => {
    const { [environment]: kept, ...rest } = file;
    return kept?.token === token ? rest : file;
  });
}

/** The operator token stored for a URL; undefined if there is none. */
export async function readOperatorCredentials(path: string, baseUrl: string): Promise<OperatorCredentials | undefined> {
  const { operators = {} } = await readFileOf(path);
  return Object.hasOwn(operators, baseUrl) ? operators[baseUrl] : undefined;
}

/** Stores an operator token for a URL, replacing the previous one. */
export async function keepOperatorCredentials(
  path: string,
  baseUrl: string,
  credentials: OperatorCredentials,
): Promise<void> {
  await changeFile(path, (file) => ({ ...file, operators: { ...file.operators, [baseUrl]: credentials } }));
}

/** Deletes the operator token of a URL; false if there was none. */
export async function forgetOperatorCredentials(path: string, baseUrl: string): Promise<boolean> {
  const { operators = {} } = await changeFile(path, ({ operators: { [baseUrl]: _, ...kept } = {}, ...file }) => ({
    ...file,
    operators: kept,
  }));
  return Object.hasOwn(operators, baseUrl);
}

/** Changes the file under its lock, so that no entry is lost; returns its previous content. */
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
    // Not quoted, because it may contain a token.
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
