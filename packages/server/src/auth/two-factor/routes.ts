import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedUser } from '../passwords/counted-account.ts';
import { disableTwoFactor, replaceRecoveryCodes } from './disable-two-factor.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import { EnableInput, PasswordAndCode, RecoveryCodes, TwoFactorDisabled, TwoFactorSetup } from './schemas.ts';
import { setUpTwoFactor } from './set-up-two-factor.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** The endpoints of two-factor: set it up, turn it on and off, and renew the recovery codes. */
export function twoFactorRoutes(tools: TwoFactorTools): Route[] {
  return [setupRoute(tools), enableRoute(tools), disableRoute(tools), recoveryCodesRoute(tools)];
}

const TAG = 'Authentication';
const REFUSALS = {
  invalid_credentials: AUTH_ERRORS.invalid_credentials,
  conflict: HTTP_ERRORS.conflict,
  forbidden: HTTP_ERRORS.forbidden,
};
const EXAMPLE_SECRET = 'IXUEVBPNPDAQQERLGWXJVIMOXRGMUALY';
const EXAMPLE_CODES = Array.from({ length: 10 }, (_, index) => `7K3M${index}-QX9T${9 - index}`);
const EXAMPLE_PROOF = { password: 'an engine that weaves patterns', code: '287082' };

function setupRoute(tools: TwoFactorTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/setup',
    operationId: 'setUpTwoFactor',
    tag: TAG,
    summary: 'Set up two-factor authentication',
    description:
      'Creates a TOTP secret (SHA-1, 6 digits, 30 seconds). Two-factor authentication stays off until you enable it. Calling this again before then creates a new secret.',
    access: ACCESS.writeProfile,
    status: 200,
    response: TwoFactorSetup,
    errors: { conflict: HTTP_ERRORS.conflict, forbidden: HTTP_ERRORS.forbidden },
    example: {
      data: {
        secret: EXAMPLE_SECRET,
        otpauth_url: `otpauth://totp/Seathold:ada%40example.com?secret=${EXAMPLE_SECRET}&issuer=Seathold`,
      },
    },
    handle: async (context) => ({ data: await setUpTwoFactor(context, tools) }),
  });
}

function enableRoute(tools: TwoFactorTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/enable',
    operationId: 'enableTwoFactor',
    tag: TAG,
    summary: 'Turn on two-factor authentication',
    description:
      'Send a code to confirm that your authenticator app has the secret. Returns ten recovery codes, which are shown only once.',
    access: ACCESS.writeProfile,
    opensTransaction: true,
    body: EnableInput,
    status: 200,
    response: RecoveryCodes,
    errors: REFUSALS,
    example: { body: { code: EXAMPLE_PROOF.code }, data: { recovery_codes: EXAMPLE_CODES } },
    handle: (context, { body }) => enableTwoFactor(context, tools, body.code),
  });
}

function disableRoute(tools: TwoFactorTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/disable',
    operationId: 'disableTwoFactor',
    tag: TAG,
    summary: 'Turn off two-factor authentication',
    description:
      'Requires the password and a code or recovery code. Pending challenges and recovery codes become invalid.',
    access: ACCESS.writeProfile,
    opensTransaction: true,
    countedAccount: countedUser,
    body: PasswordAndCode,
    status: 200,
    response: TwoFactorDisabled,
    errors: REFUSALS,
    example: { body: EXAMPLE_PROOF, data: { status: 'disabled' } },
    handle: (context, { body }) => disableTwoFactor(context, tools, body),
  });
}

function recoveryCodesRoute(tools: TwoFactorTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/recovery-codes',
    operationId: 'renewRecoveryCodes',
    tag: TAG,
    summary: 'Regenerate recovery codes',
    description:
      'Requires the password and a code or recovery code. Returns ten new recovery codes, which are shown only once. The old ones stop working.',
    access: ACCESS.writeProfile,
    opensTransaction: true,
    countedAccount: countedUser,
    body: PasswordAndCode,
    status: 200,
    response: RecoveryCodes,
    errors: REFUSALS,
    example: { body: EXAMPLE_PROOF, data: { recovery_codes: EXAMPLE_CODES } },
    handle: (context, { body }) => replaceRecoveryCodes(context, tools, body),
  });
}
