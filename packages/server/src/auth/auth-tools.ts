import type { Clock, Pause } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { PersonErasure, Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey, PasswordHasher } from '../security/index.ts';
import type { AbandonedTools } from './account-deletion/ending-tools.ts';
import type { LoginPace } from './login-sessions/login-pace.ts';
import type { OwnPasswordTurns } from './login-sessions/own-password-turns.ts';

/** What this room is opened with. */
export interface AuthDeps {
  database: Queries;
  masterKey: MasterKey;
  outbox: Outbox;
  mailer: Mailer;
  log: Logger;
  clock: Clock;
  /** What waits between attempts to log in; by a timer where nothing else is given. */
  pause?: Pause;
  config: Pick<
    Config,
    | 'accessTokenTtlSeconds'
    | 'refreshTokenTtlSeconds'
    | 'argon2'
    | 'retentionTokensDays'
    | 'retentionUnverifiedUsersDays'
    | 'retentionSandboxOrganizationsDays'
  >;
  /** Public address of the environment, for mails and for the issuer of OAuth tokens. */
  baseUrl: string;
  /** Where the pages and endpoints of OAuth are: the issuer. */
  authUrl: string;
  /** What the API tokens of this environment begin with. */
  apiTokenPrefix: 'svc_live_' | 'svc_test_';
  /** What the rooms above this one do when an account is deleted. Without it, no account is deleted. */
  forgetting?: Forgetting;
  /** Whether to delete unused organizations. */
  isSandbox?: boolean;
  /** How many passwords are hashed at once; two unless said otherwise. */
  hashesAtOnce?: number;
}

/** What deleting accounts and organizations needs from the rooms above this one. */
export interface Forgetting extends Omit<AbandonedTools, 'database' | 'clock' | 'outbox' | 'baseUrl'> {
  /** Where personal data is kept, in all rooms but this one. */
  erasures: readonly PersonErasure[];
}

/** How long a login's tokens live, in seconds. */
export type TokenLifetimes = Pick<AuthDeps['config'], 'accessTokenTtlSeconds' | 'refreshTokenTtlSeconds'>;

/** What the use cases around passwords and logins need besides the request. */
export interface LoginTools extends Pick<AuthDeps, 'masterKey' | 'mailer' | 'clock' | 'baseUrl' | 'authUrl'> {
  passwords: PasswordHasher;
  lifetimes: TokenLifetimes;
  pace: LoginPace;
  ownPasswordTurns: OwnPasswordTurns;
}
