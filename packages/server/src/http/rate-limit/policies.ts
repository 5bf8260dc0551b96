import type { WindowLimit } from './windows.ts';

export type Tier = 'free' | 'pro' | 'enterprise';
export type TierWindow = 'minute' | 'hour' | 'day';
/** A limit of a single endpoint. `login-account` counts logins per account, from all addresses together. */
export type EndpointLimit = keyof typeof ENDPOINTS;

/**
 * All numbers in force in one environment. The lists are shared, so that the headers' policy text is created only once.
 */
export interface RateLimits {
  /** False if limits are only counted and reported. */
  readonly enforce: boolean;
  readonly tiers: Readonly<Record<Tier, readonly WindowLimit[]>>;
  readonly endpoints: Readonly<Record<EndpointLimit, readonly WindowLimit[]>>;
}

export type ParsedRateLimits =
  | { readonly ok: true; readonly limits: RateLimits }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The sandbox is ten times as lenient. */
export const SANDBOX_MULTIPLIER = 10;

const TIERS: Readonly<Record<Tier, Readonly<Record<TierWindow, number>>>> = {
  free: { minute: 60, hour: 1_000, day: 10_000 },
  pro: { minute: 300, hour: 10_000, day: 100_000 },
  enterprise: { minute: 1_000, hour: 50_000, day: 500_000 },
};

const SECONDS: Readonly<Record<TierWindow, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/** To limit another endpoint, add it here and name it in the endpoint's row. */
const ENDPOINTS = {
  login: { limit: 10, seconds: SECONDS.minute },
  'login-account': { limit: 10, seconds: SECONDS.minute },
  register: { limit: 5, seconds: SECONDS.minute },
  'password-forgot': { limit: 5, seconds: SECONDS.minute },
  'password-reset': { limit: 10, seconds: SECONDS.minute },
  activate: { limit: 10, seconds: SECONDS.minute },
  // Codes typed on the device page.
  device: { limit: 10, seconds: SECONDS.minute },
  acquire: { limit: 20, seconds: SECONDS.minute },
  // Per seat session; see docs/decisions/0025.
  heartbeat: { limit: 30, seconds: SECONDS.minute },
  release: { limit: 30, seconds: SECONDS.minute },
  // Per wait; see docs/decisions/0085. A program is asked to poll at most once per second.
  wait: { limit: 90, seconds: SECONDS.minute },
  'create-webhook': { limit: 10, seconds: SECONDS.hour },
  'replay-webhook': { limit: 20, seconds: SECONDS.hour },
} as const;

/** Ten times any number is still an exact integer that a structured header may contain (RFC 9651 section 3.3.1). */
const LARGEST_LIMIT = 1_000_000_000;

/**
 * Reads SEATHOLD_RATE_LIMITS: `on`, `off`, or JSON such as `{"tiers": {"free": {"minute": 120}}, "endpoints": {"login":
 * 20}}`, where everything else keeps its default. All numbers are multiplied by the environment's multiplier. Never
 * throws; problems are in plain words.
 */
export function parseRateLimits(text: string, environmentMultiplier: number): ParsedRateLimits {
  const setting = text.trim();
  if (setting === 'on' || setting === 'off') {
    return { ok: true, limits: limitsFrom({}, {}, environmentMultiplier, setting === 'on') };
  }
  const json = parseJson(setting);
  if (json === undefined) {
    return { ok: false, problems: ['must be "on", "off" or a JSON object'] };
  }
  const problems: string[] = [];
  const root = membersOf(json, 'the JSON', ['tiers', 'endpoints'], problems);
  const tiers = membersOf(root.tiers, 'tiers', Object.keys(TIERS), problems);
  const endpoints = membersOf(root.endpoints, 'endpoints', Object.keys(ENDPOINTS), problems);
  const changed: Changes = {
    free: membersOf(tiers.free, 'tiers.free', Object.keys(SECONDS), problems),
    pro: membersOf(tiers.pro, 'tiers.pro', Object.keys(SECONDS), problems),
    enterprise: membersOf(tiers.enterprise, 'tiers.enterprise', Object.keys(SECONDS), problems),
  };
  for (const [tier, windows] of Object.entries(changed)) {
    checkNumbers(windows, `tiers.${tier}`, problems);
  }
  checkNumbers(endpoints, 'endpoints', problems);
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, limits: limitsFrom(changed, endpoints, environmentMultiplier, true) };
}

type Members = Readonly<Record<string, unknown>>;
type Changes = Partial<Readonly<Record<Tier, Members>>>;

function limitsFrom(tiers: Changes, endpoints: Members, multiplier: number, enforce: boolean): RateLimits {
  const scaled = (changed: unknown, standard: number) =>
    Math.max(1, Math.round((typeof changed === 'number' ? changed : standard) * multiplier));
  const tier = (name: Tier): readonly WindowLimit[] => {
    const window = (length: TierWindow): WindowLimit => ({
      name: length,
      limit: scaled(tiers[name]?.[length], TIERS[name][length]),
      seconds: SECONDS[length],
    });
    return [window('minute'), window('hour'), window('day')];
  };
  const endpoint = (name: EndpointLimit): readonly WindowLimit[] => {
    const { limit, seconds } = ENDPOINTS[name];
    return [{ name, limit: scaled(endpoints[name], limit), seconds }];
  };
  return {
    enforce,
    tiers: { free: tier('free'), pro: tier('pro'), enterprise: tier('enterprise') },
    endpoints: {
      login: endpoint('login'),
      'login-account': endpoint('login-account'),
      register: endpoint('register'),
      'password-forgot': endpoint('password-forgot'),
      'password-reset': endpoint('password-reset'),
      activate: endpoint('activate'),
      device: endpoint('device'),
      acquire: endpoint('acquire'),
      heartbeat: endpoint('heartbeat'),
      release: endpoint('release'),
      wait: endpoint('wait'),
      'create-webhook': endpoint('create-webhook'),
      'replay-webhook': endpoint('replay-webhook'),
    },
  };
}

/** The same windows, each raised to at least this many requests. */
export function raiseLimit(windows: readonly WindowLimit[], atLeast: number | undefined): readonly WindowLimit[] {
  return atLeast === undefined || windows.every(({ limit }) => limit >= atLeast)
    ? windows
    : windows.map((window) => ({ ...window, limit: Math.min(LARGEST_LIMIT, Math.max(window.limit, atLeast)) }));
}

/**
 * The windows of a tier for a request that has its own, raised windows: a tier's window of the same length with a lower
 * limit would undo that, so it does not count the request.
 */
export function withoutTighter(tier: readonly WindowLimit[], own: readonly WindowLimit[]): readonly WindowLimit[] {
  const isTighter = (window: WindowLimit) =>
    own.some(({ seconds, limit }) => seconds === window.seconds && limit > window.limit);
  return tier.some(isTighter) ? tier.filter((window) => !isTighter(window)) : tier;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object, or none with a reported problem. An unknown name is a mistake, not an extension. */
function membersOf(value: unknown, path: string, known: readonly string[], problems: string[]): Members {
  if (value === undefined) {
    return {};
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${path} must be an object`);
    return {};
  }
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (known.includes(name)) {
      members[name] = member;
    } else {
      problems.push(`${path} has no "${name}"; known are ${known.join(', ')}`);
    }
  }
  return members;
}

function checkNumbers(members: Members, path: string, problems: string[]): void {
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > LARGEST_LIMIT) {
      problems.push(`${path}.${name} must be a whole number from 1 to ${LARGEST_LIMIT}`);
    }
  }
}
