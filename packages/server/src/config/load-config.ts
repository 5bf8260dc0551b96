import type { Setting } from './define-setting.ts';
import { fileVariable, readGiven } from './read-given.ts';
import { SETTINGS, type Settings } from './settings.ts';

/** A problem with one setting, and what it should be. */
export interface ConfigProblem {
  name: string;
  problem: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting that the service was started with, checked. */
export type Config = Settings;

/**
 * Reads all settings and reports all problems together, each by name with the fix, so that they need not be fixed one
 * start at a time. `warnings` are unknown names with our prefix.
 */
export function loadConfig(environment: Environment): {
  config: Config | undefined;
  problems: ConfigProblem[];
  warnings: string[];
} {
  const problems: ConfigProblem[] = [];
  const read = <T>(setting: Setting<T>) => readSetting(setting, environment, problems);
  const config = readAll(read);
  problems.push(...findContradictions(config));
  return { config: problems.length === 0 ? config : undefined, problems, warnings: findUnknownNames(environment) };
}

/** Each setting with its current value as text, with secrets hidden, for `seathold config`. */
export function describeConfig(
  environment: Environment,
): Array<{ name: string; value: string | null; source: string; description: string }> {
  return Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const given = readGiven(setting, environment);
    const { text, source } = 'problem' in given ? { text: '', source: 'file' } : given;
    const shown = setting.secret === true ? '(hidden)' : text;
    return {
      name: setting.name,
      value: text === undefined ? setting.default : (shown ?? null),
      source,
      description: setting.description,
    };
  });
}

function readSetting<T>(setting: Setting<T>, environment: Environment, problems: ConfigProblem[]): T | undefined {
  const given = readGiven(setting, environment);
  if ('problem' in given) {
    problems.push({ name: setting.name, problem: given.problem });
    return undefined;
  }
  const text = given.text ?? setting.default;
  if (text === null) {
    return undefined;
  }
  const outcome = setting.parse(text);
  if ('value' in outcome) {
    return outcome.value;
  }
  problems.push({ name: setting.name, problem: outcome.problem });
  return undefined;
}

/** Object.fromEntries loses the types, but each key is read by its own setting, so the values have the right types. */
function readAll(read: (setting: Setting<never>) => unknown): Config {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting as Setting<never>)]);
  return Object.fromEntries(entries) as Config;
}

function findContradictions(config: Partial<Config>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const together = (first: unknown, second: unknown, name: string, other: string) => {
    if ((first === undefined) !== (second === undefined)) {
      problems.push({ name, problem: `must be set together with ${other}` });
    }
  };
  together(config.tlsCert, config.tlsKey, 'SEATHOLD_TLS_CERT', 'SEATHOLD_TLS_KEY');
  together(
    config.stripeSecretKey,
    config.stripeWebhookSecret,
    'SEATHOLD_STRIPE_WEBHOOK_SECRET',
    'SEATHOLD_STRIPE_SECRET_KEY',
  );
  problems.push(...findKeyContradictions(config), ...findBackupContradictions(config));
  const isAlone = config.sandbox === false;
  if (!isAlone) {
    together(config.databaseUrl, config.sandboxDatabaseUrl, 'SANDBOX_DATABASE_URL', 'DATABASE_URL');
  }
  if (config.databaseUrl !== undefined && config.databaseUrl === config.sandboxDatabaseUrl) {
    problems.push({ name: 'SANDBOX_DATABASE_URL', problem: 'must name a different database than DATABASE_URL' });
  }
  if (!isAlone && config.port !== undefined && config.port !== 0 && config.port === config.sandboxPort) {
    problems.push({ name: 'SEATHOLD_SANDBOX_PORT', problem: 'must differ from SEATHOLD_PORT' });
  }
  const { heartbeatIntervalSeconds: interval, seatTimeoutSeconds: timeout } = config;
  if (interval !== undefined && timeout !== undefined && timeout <= interval) {
    problems.push({ name: 'SEATHOLD_SESSION_TIMEOUT', problem: 'must be longer than SEATHOLD_HEARTBEAT_INTERVAL' });
  }
  return problems;
}

/** A card entered for one account or mode cannot be charged by another. */
function findKeyContradictions({ stripePublishableKey, stripeSecretKey }: Partial<Config>): ConfigProblem[] {
  const name = 'SEATHOLD_STRIPE_PUBLISHABLE_KEY';
  if (stripePublishableKey === undefined) {
    return [];
  }
  if (stripeSecretKey === undefined) {
    return [{ name, problem: 'requires SEATHOLD_STRIPE_SECRET_KEY' }];
  }
  return stripePublishableKey.startsWith('pk_test_') === /^[a-z]+_test_/.test(stripeSecretKey)
    ? []
    : [{ name, problem: 'must be a live key if and only if SEATHOLD_STRIPE_SECRET_KEY is one' }];
}

function findBackupContradictions({
  backupSchedule,
  backupDir,
  backupKey,
  masterKey,
}: Partial<Config>): ConfigProblem[] {
  return [
    ...(backupSchedule !== undefined && backupDir === undefined
      ? [{ name: 'SEATHOLD_BACKUP_SCHEDULE', problem: 'requires SEATHOLD_BACKUP_DIR' }]
      : []),
    ...(backupKey !== undefined && masterKey?.some((key) => key.equals(backupKey)) === true
      ? [{ name: 'SEATHOLD_BACKUP_KEY', problem: 'must differ from SEATHOLD_MASTER_KEY' }]
      : []),
  ];
}

function findUnknownNames(environment: Environment): string[] {
  const known = new Set(
    Object.values(SETTINGS).flatMap(({ name, secret }: Setting<unknown>) =>
      secret === true ? [name, fileVariable(name)] : [name],
    ),
  );
  return Object.keys(environment).filter((name) => name.startsWith('SEATHOLD_') && !known.has(name));
}
