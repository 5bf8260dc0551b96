import { Compile } from 'typebox/compile';
import { NewPassword, requestPasswordReset, resetPassword, verifyEmail } from '../../auth/index.ts';
import { ApiError, type Exchange, httpError, type MountedEndpoint } from '../../http/index.ts';
import { parseEmail } from '../../users/index.ts';
import { isFromAnotherSite } from '../interactions/same-site.ts';
import type { OauthTools } from '../oauth-tools.ts';
import {
  emailVerifiedPage,
  type FormState,
  forgotPasswordPage,
  mailUnderWayPage,
  passwordSetPage,
  resetPasswordPage,
  verifyEmailPage,
} from '../pages/account-pages.ts';
import type { PageSite } from '../pages/layout.ts';
import { invitationEndpoints } from './invitation-endpoints.ts';
import { sendPage } from './send-page.ts';
import { staffSetupEndpoint } from './staff-setup-endpoint.ts';

/**
 * The pages that mails link to. Codes are typed in, except for the one that verifies an address, which the link may
 * contain.
 */
export function accountEndpoints(
  tools: OauthTools,
  site: PageSite,
  refuse: MountedEndpoint['refuse'],
): Array<[string, MountedEndpoint]> {
  const endpoint = (page: AccountPage): [string, MountedEndpoint] => {
    const path = `${site.basePath}/${page.name}`;
    const methods = ['GET', 'HEAD', 'POST'];
    const handle = (exchange: Exchange, form: URLSearchParams) => serve(tools, site, page, { exchange, form });
    return [path, { path, methods, takesForm: true, limit: page.limit, refuse, handle }];
  };
  return [...PAGES.map(endpoint), ...invitationEndpoints(tools, site, refuse), staffSetupEndpoint(tools, site, refuse)];
}

interface Arrived {
  exchange: Exchange;
  form: URLSearchParams;
}

/** A page with one form. */
interface AccountPage {
  name: string;
  limit: NonNullable<MountedEndpoint['limit']>;
  show(site: PageSite, state?: FormState): string;
  /** Handles the form. Throws what the use case throws. */
  take(tools: OauthTools, arrived: Arrived): Promise<void>;
  thank(site: PageSite): string;
}

const isPassword = Compile(NewPassword);

/** Each counts its forms together with the corresponding API endpoint. */
const PAGES: readonly AccountPage[] = [
  {
    name: 'forgot-password',
    limit: 'password-forgot',
    show: forgotPasswordPage,
    async take({ database }, { form }) {
      const email = (form.get('email') ?? '').slice(0, MAX_FIELD);
      if (parseEmail(email) === undefined) {
        throw httpError('validation_failed', 'Enter a valid email address.');
      }
      await requestPasswordReset(database, email);
    },
    thank: mailUnderWayPage,
  },
  {
    name: 'reset-password',
    limit: 'password-reset',
    show: resetPasswordPage,
    async take({ database, login }, { exchange, form }) {
      const password = form.get('password') ?? '';
      if (!isPassword.Check(password)) {
        throw httpError('validation_failed', 'The password must be 10 to 256 characters long.');
      }
      const { requestId, clientAddress } = exchange;
      await resetPassword({ database, requestId, clientAddress }, login, { token: codeOf(form), password });
    },
    thank: passwordSetPage,
  },
  {
    name: 'verify-email',
    limit: 'password-reset',
    show: verifyEmailPage,
    async take({ database }, { exchange: { requestId, clientAddress }, form }) {
      await verifyEmail({ database, requestId, clientAddress }, codeOf(form));
    },
    thank: emailVerifiedPage,
  },
];

const MAX_FIELD = 512;

/** Codes are copied from mails, often with surrounding spaces. */
function codeOf(form: URLSearchParams): string {
  return (form.get('token') ?? '').trim().slice(0, MAX_FIELD);
}

/**
 * The code in the URL of a mail. It is only put into the form: a GET never spends it, because mail scanners and
 * browsers follow links before the reader does.
 */
function tokenIn(url = ''): string | undefined {
  const token = new URLSearchParams(url.split('?')[1]).get('token') ?? '';
  return /^\w{1,128}$/.test(token) ? token : undefined;
}

async function serve(tools: OauthTools, site: PageSite, page: AccountPage, arrived: Arrived): Promise<void> {
  const { request } = arrived.exchange;
  if (request.method !== 'POST') {
    sendPage(site, arrived.exchange, { status: 200, page: page.show(site, { token: tokenIn(request.url) }) });
    return;
  }
  if (isFromAnotherSite(request.headers, tools.authUrl)) {
    throw httpError('forbidden', 'This form was submitted from another site.');
  }
  try {
    await page.take(tools, arrived);
  } catch (error) {
    // What the user can correct is shown next to the form, anything else on the error page.
    if (!(error instanceof ApiError) || !MENDABLE.has(error.code)) {
      throw error;
    }
    const email = arrived.form.get('email') ?? undefined;
    sendPage(site, arrived.exchange, { status: 400, page: page.show(site, { alert: error.message, email }) });
    return;
  }
  sendPage(site, arrived.exchange, { status: 200, page: page.thank(site) });
}

const MENDABLE: ReadonlySet<string> = new Set(['invalid_token', 'token_expired', 'validation_failed']);
