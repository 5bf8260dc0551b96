import type { Clock, Pause } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { PersonErasure, Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import type { AbandonedTools } from './account-deletion/ending-tools.ts';
import type { ApiTokenPrefix } from './api-tokens/issue-api-token.ts';
import type { ConnectedApps } from './connected-apps.ts';

/** The dependencies of this room. */
export interface AuthTools {
  database: Queries;
  masterKey: MasterKey;
  outbox: Outbox;
  mailer: Mailer;
  log: Logger;
  clock: Clock;
  /** Waits between login attempts; uses a timer by default. */
  pause?: Pause;
  config: Pick<
    Config,
    | 'accessTokenTtlSeconds'
    | 'refreshTokenTtlSeconds'
    | 'argon2'
    | 'brand'
    | 'retentionTokensDays'
    | 'retentionUnverifiedUsersDays'
    | 'retentionSandboxOrganizationsDays'
  >;
  /** Public address of the environment, for mails. */
  baseUrl: string;
  /** The address of the login pages and OAuth endpoints: the issuer. */
  authUrl: string;
  apiTokenPrefix: ApiTokenPrefix;
  /** Provided by the room above that owns OAuth apps. */
  connectedApps: ConnectedApps;
  /** What the rooms above do when an account is deleted. Without it, no accounts are deleted. */
  forgetting?: Forgetting;
  /** Whether to delete unused organizations, and to label pages as the sandbox's. */
  isSandbox?: boolean;
  /** How many passwords are hashed at the same time; two by default. */
  hashesAtOnce?: number;
}

/** What deleting accounts and organizations needs from the rooms above. */
export interface Forgetting
  extends Omit<AbandonedTools, 'database' | 'clock' | 'outbox' | 'baseUrl' | 'connectedApps'> {
  /** Where personal data is stored in all other rooms. */
  erasures: readonly PersonErasure[];
}
