import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseBackupSchedule } from './backup-schedule.ts';
import { parseBrand } from './brand.ts';
import { parseMailAddress } from './mail-address.ts';
import { parsePostgresUrl } from './postgres-hosts.ts';
import { parseSeller } from './seller.ts';
import { parseSmtpUrl } from './smtp-url.ts';

/** Parses a setting's text, or returns one sentence with the expected format. */
export type Parse<T> = (text: string) => { value: T } | { problem: string };

export type LogLevelName = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const LOG_LEVELS: readonly LogLevelName[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export const parsers = {
  text: (text: string) => (text === '' ? { problem: 'must not be empty' } : { value: text }),
  folder: parseFolder,
  host: (text: string) =>
    isIP(text) !== 0 || isHostName(text)
      ? { value: text }
      : { problem: 'must be a host name or an address, for example 0.0.0.0' },
  port: (text: string) => integer(text, 1, 65_535, 'a port number'),
  seconds: (min: number, max: number) => (text: string) => integer(text, min, max, 'whole seconds'),
  count: (min: number, max: number) => (text: string) => integer(text, min, max, 'a whole number'),
  fraction: (text: string): { value: number } | { problem: string } =>
    /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text) ? { value: Number(text) } : { problem: 'must be a number from 0 to 1' },
  /** `auto` leaves one core to the background work and the database. */
  processes: (text: string) =>
    text === 'auto'
      ? { value: Math.min(Math.max(1, availableParallelism() - 1), MOST_PROCESSES) }
      : integer(text, 1, MOST_PROCESSES, 'auto or a number'),
  connections: (text: string) => integer(text, 0, 1_000_000, 'a number of connections'),
  origins: parseOrigins,
  /** A retention period in days; 0 means forever. */
  daysOrNever: (min: number, max: number) => (text: string) =>
    text === '0' ? { value: 0 } : integer(text, min, max, '0 or a whole number of days'),
  delays: parseDelays,
  httpsUrl: (text: string) =>
    url(text, ['https:'], 'an https:// address without a path, for example https://api.example.com', true),
  issuerUrl: parseIssuerUrl,
  postgresUrl: (text: string) =>
    parsePostgresUrl(text) === undefined
      ? {
          problem:
            'must be a postgres:// address; it can name several hosts, separated by commas, and target_session_attrs can be read-write, primary or any',
        }
      : { value: text },
  redisUrl: (text: string) => url(text, ['redis:', 'rediss:', 'unix:'], 'a redis:// address', false),
  proxyUrl: parseProxyUrl,
  smtpUrl: parseSmtpUrl,
  mailAddress: parseMailAddress,
  httpUrl: (text: string) => url(text, ['http:', 'https:'], 'an http(s):// address without a path', true),
  dunningDays: parseDunningDays,
  brand: parseBrand,
  seller: parseSeller,
  stripeSecretKey: (text: string) =>
    /^[sr]k_(?:live|test)_\w{8,}$/.test(text)
      ? { value: text }
      : { problem: 'must begin with sk_live_, sk_test_, rk_live_ or rk_test_' },
  stripePublishableKey: (text: string) =>
    /^pk_(?:live|test)_\w{8,}$/.test(text) ? { value: text } : { problem: 'must begin with pk_live_ or pk_test_' },
  stripeWebhookSecret: (text: string) =>
    /^whsec_\S{8,}$/.test(text) ? { value: text } : { problem: 'must begin with whsec_' },
  keys: parseKeys,
  backupSchedule: parseBackupSchedule,
  backupKey: (text: string): { value: Buffer } | { problem: string } => {
    const value = Buffer.from(text, 'base64');
    return value.length === 32
      ? { value }
      : { problem: 'must be exactly 32 bytes in base64; create one with: openssl rand -base64 32' };
  },
  onOff: (text: string): { value: boolean } | { problem: string } =>
    text === 'on' || text === 'off' ? { value: text === 'on' } : { problem: 'must be on or off' },
  loggedRequests: (text: string): { value: 'all' | 'errors' } | { problem: string } =>
    text === 'all' || text === 'errors' ? { value: text } : { problem: 'must be all or errors' },
  metricsToken: (text: string) =>
    /^[\x21-\x7e]{16,}$/.test(text) ? { value: text } : { problem: 'must be at least 16 printable characters' },
  argon2: parseArgon2,
  /** Parsed by the code that uses it, which reports its own problems. */
  anyText: (text: string) => ({ value: text }),
  logLevel: (text: string) => {
    const level = LOG_LEVELS.find((each) => each === text);
    return level === undefined ? { problem: `must be one of ${LOG_LEVELS.join(', ')}` } : { value: level };
  },
} as const;

const MOST_PROCESSES = 64;

function integer(text: string, min: number, max: number, what: string) {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max
    ? { value }
    : { problem: `must be ${what} between ${min} and ${max}` };
}

function url(text: string, protocols: readonly string[], what: string, originOnly: boolean) {
  const parsed = URL.parse(text);
  if (parsed === null || !protocols.includes(parsed.protocol)) {
    return { problem: `must be ${what}` };
  }
  if (originOnly && `${parsed.pathname}${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` !== '/') {
    return { problem: `must be ${what}` };
  }
  return { value: originOnly ? parsed.origin : text };
}

/** A name of only digits and dots is a mistyped address. */
function isHostName(text: string): boolean {
  return /^[A-Za-z0-9._-]+$/.test(text) && !/^[\d.]+$/.test(text);
}

/** The folder need not exist yet: the service creates it. */
function parseFolder(text: string) {
  if (text === '') {
    return { problem: 'must not be empty' };
  }
  return isFolderOrFree(resolve(text))
    ? { value: text }
    : { problem: 'must be a folder, but is a file or inside a file' };
}

function isFolderOrFree(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ?? (dirname(path) === path || isFolderOrFree(dirname(path)));
  } catch (error) {
    // A path that this user cannot read is reported when the service opens it.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR');
  }
}

/** Origins as browsers write them in the Origin header. Anything else would never match, and `*` would match too much. */
function parseOrigins(text: string) {
  const origins = text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const isSound = origins.every((origin) => {
    const parsed = URL.parse(origin);
    const isLocal = parsed?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
    const isHost = parsed !== null && /^[a-z0-9.:[\]-]+$/.test(parsed.host);
    return isHost && parsed.origin === origin && (parsed.protocol === 'https:' || isLocal);
  });
  return isSound
    ? { value: [...new Set(origins)] }
    : {
        problem:
          'must be https:// origins without a path, comma-separated, for example https://app.example.com (http:// for localhost only)',
      };
}

/** RFC 8414 section 2: no query, no fragment. The path distinguishes its requests from those of the API. */
function parseIssuerUrl(text: string) {
  const parsed = URL.parse(text);
  const isSound =
    parsed?.protocol === 'https:' &&
    /^(?:\/[A-Za-z0-9._~-]+)+$/.test(parsed.pathname) &&
    !parsed.pathname.startsWith('/v1') &&
    `${parsed.search}${parsed.hash}${parsed.username}` === '';
  return parsed !== null && isSound
    ? { value: parsed.origin + parsed.pathname }
    : {
        problem:
          'must be an https:// URL with a path and without a trailing slash, for example https://id.example.com/oauth',
      };
}

/** One to ten, of at most a week each. */
function parseDelays(text: string) {
  const delays = text.split(',').map((each) => integer(each.trim(), 1, 604_800, 'whole seconds'));
  const value = delays.flatMap((each) => ('value' in each ? [each.value] : []));
  return value.length === delays.length && value.length <= 10
    ? { value }
    : { problem: 'must be one to ten numbers of whole seconds between 1 and 604800, for example 60,300,1800' };
}

/** None to ten, of at most a year each. */
function parseDunningDays(text: string) {
  const days = text.trim() === '' ? [] : text.split(',').map((each) => integer(each.trim(), 1, 365, 'whole days'));
  const value = days.flatMap((each) => ('value' in each ? [each.value] : []));
  return value.length === days.length && value.length <= 10
    ? { value }
    : { problem: 'must be at most ten numbers of whole days between 1 and 365, for example 2,5,7,7' };
}

/** The message does not repeat the value, because it may contain a password. */
function parseProxyUrl(text: string) {
  const parsed = URL.parse(text);
  const isSound =
    parsed !== null &&
    ['http:', 'https:'].includes(parsed.protocol) &&
    parsed.pathname === '/' &&
    `${parsed.search}${parsed.hash}` === '' &&
    isPercentEncoded(parsed.username) &&
    isPercentEncoded(parsed.password);
  return isSound
    ? { value: parsed }
    : {
        problem: 'must look like http://user:password@proxy.example.com:4750, or https:// (user and password optional)',
      };
}

function isPercentEncoded(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** Newest first; there are two during a rotation. */
function parseKeys(text: string) {
  const value: readonly Buffer[] = text.split(',').map((each) => Buffer.from(each.trim(), 'base64'));
  return value.every((key) => key.length === 32)
    ? { value }
    : {
        problem:
          'must be exactly 32 bytes in base64, or several such keys, comma-separated; create one with: openssl rand -base64 32',
      };
}

function parseArgon2(text: string) {
  const [, memory, passes, lanes] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(text) ?? [];
  const value = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const isSound =
    value.memoryKib >= 1024 &&
    value.memoryKib <= 4_194_304 &&
    value.passes >= 1 &&
    value.passes <= 100 &&
    value.lanes >= 1 &&
    value.lanes <= 16;
  return isSound ? { value } : { problem: 'must look like m=19456,t=2,p=1 (memory in KiB from 1024, passes, lanes)' };
}
