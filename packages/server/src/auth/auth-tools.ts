import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { Logger } from '../log/index.ts';
import type { PasswordHasher } from '../security/index.ts';

/** What this room is opened with. */
export interface AuthDeps {
  database: Queries;
  log: Logger;
  clock: Clock;
  config: Pick<Config, 'accessTokenTtlSeconds' | 'refreshTokenTtlSeconds' | 'argon2'>;
  /** What the API tokens of this environment begin with. */
  apiTokenPrefix: 'svc_live_' | 'svc_test_';
}

/** How long a login's tokens live, in seconds. */
export type TokenLifetimes = Pick<AuthDeps['config'], 'accessTokenTtlSeconds' | 'refreshTokenTtlSeconds'>;

/** What the use cases around passwords and logins need besides the request. */
export interface LoginTools {
  passwords: PasswordHasher;
  lifetimes: TokenLifetimes;
}
