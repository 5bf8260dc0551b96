import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedUser } from '../login-sessions/counted-account.ts';
import { logInByCode } from '../login-sessions/log-in.ts';
import { EXAMPLE_LOGIN } from '../login-sessions/routes.ts';
import { LoginResult } from '../login-sessions/schemas.ts';
import { disableTwoFactor, replaceRecoveryCodes } from './disable-two-factor.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import {
  ChallengeAnswer,
  EnableInput,
  PasswordAndCode,
  RecoveryCodes,
  TwoFactorDisabled,
  TwoFactorSetup,
} from './schemas.ts';
import { setUpTwoFactor } from './set-up-two-factor.ts';

/** The endpoints of two-factor: set it up, turn it on and off, renew the recovery codes, and complete a login. */
export function twoFactorRoutes(tools: LoginTools): Route[] {
  return [setupRoute(tools), enableRoute(tools), disableRoute(tools), recoveryCodesRoute(tools), verifyRoute(tools)];
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

function setupRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/setup',
    operationId: 'setUpTwoFactor',
    tag: TAG,
    summary: 'Set two-factor up',
    description:
      'Makes a TOTP secret (SHA-1, 6 digits, 30 seconds). Nothing changes until it is enabled; asked again before that, it makes another secret.',
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

function enableRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/enable',
    operationId: 'enableTwoFactor',
    tag: TAG,
    summary: 'Turn two-factor on',
    description: 'Proves with a code that the app has the secret, and answers ten recovery codes, this once.',
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

function disableRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/disable',
    operationId: 'disableTwoFactor',
    tag: TAG,
    summary: 'Turn two-factor off',
    description: 'Takes the password and a code or recovery code. Open challenges and the recovery codes are void.',
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

function recoveryCodesRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/recovery-codes',
    operationId: 'renewRecoveryCodes',
    tag: TAG,
    summary: 'Renew the recovery codes',
    description:
      'Takes the password and a code or recovery code, and answers ten new ones, this once. The old are void.',
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

function verifyRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/verify',
    operationId: 'verifyTwoFactor',
    tag: TAG,
    summary: 'Complete a login by the second factor',
    description:
      'A challenge lives 5 minutes and 5 attempts, and a code works once. A recovery code is accepted in its place.',
    access: ACCESS.public,
    limit: 'login',
    body: ChallengeAnswer,
    status: 200,
    response: LoginResult,
    errors: {
      invalid_credentials: AUTH_ERRORS.invalid_credentials,
      invalid_token: HTTP_ERRORS.invalid_token,
      token_expired: HTTP_ERRORS.token_expired,
    },
    example: {
      body: { challenge_token: `ch_${'5gTy7R'.repeat(7)}`, code: EXAMPLE_PROOF.code },
      data: EXAMPLE_LOGIN,
    },
    handle: async (context, { body }) => ({ data: await logInByCode(context, tools, body) }),
  });
}
