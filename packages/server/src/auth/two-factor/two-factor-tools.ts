import type { Clock } from '../../clock/index.ts';
import type { Mailer } from '../../mail/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { PasswordTools } from '../passwords/check-own-password.ts';

/** The dependencies of checking and changing the second factor. */
export interface TwoFactorTools extends PasswordTools {
  masterKey: MasterKey;
  clock: Clock;
  mailer: Mailer;
  /** The name of the product in authenticator apps. */
  issuer: string;
  /** Public address of the dashboard, for mails. */
  baseUrl: string;
}
