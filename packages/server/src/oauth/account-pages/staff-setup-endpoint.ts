import { Compile } from 'typebox/compile';
import { completeSetup, getSetup, NewPassword } from '../../auth/index.ts';
import { ApiError, type Exchange, httpError, type MountedEndpoint } from '../../http/index.ts';
import { isFromAnotherSite } from '../interactions/same-site.ts';
import type { OauthTools } from '../oauth-tools.ts';
import type { PageSite } from '../pages/layout.ts';
import { staffCodePage, staffReadyPage, staffSetupPage } from '../pages/staff-setup-page.ts';
import { type PageAnswer, sendPage } from './send-page.ts';

/** The page of a one-time link for new staff: a password, two-factor and the recovery codes, without a prior login. */
export function staffSetupEndpoint(
  tools: OauthTools,
  site: PageSite,
  refuse: MountedEndpoint['refuse'],
): [string, MountedEndpoint] {
  const path = `${site.basePath}/staff-setup`;
  return [
    path,
    {
      path,
      methods: ['GET', 'HEAD', 'POST'],
      takesForm: true,
      limit: 'password-reset',
      refuse,
      async handle(exchange, form) {
        sendPage(site, exchange, await answer(tools, site, exchange, form));
      },
    },
  ];
}

async function answer(
  tools: OauthTools,
  site: PageSite,
  exchange: Exchange,
  form: URLSearchParams,
): Promise<PageAnswer> {
  const { request } = exchange;
  const isForm = request.method === 'POST';
  if (isForm && isFromAnotherSite(request.headers, tools.authUrl)) {
    throw httpError('forbidden', 'This form was submitted from another site.');
  }
  const sent = isForm ? form : new URLSearchParams(request.url?.split('?')[1]);
  const token = (sent.get('token') ?? '').trim();
  if (!isForm && token === '') {
    return { status: 200, page: staffCodePage(site) };
  }
  try {
    return isForm ? await take(tools, site, exchange, form, token) : await show(tools, site, token);
  } catch (error) {
    if (error instanceof ApiError && LINK_IS_OVER.has(error.code)) {
      return { status: 400, page: staffCodePage(site, error.message) };
    }
    throw error;
  }
}

const LINK_IS_OVER: ReadonlySet<string> = new Set(['invalid_token', 'token_expired']);

async function show({ database, login }: OauthTools, site: PageSite, token: string): Promise<PageAnswer> {
  const setup = await getSetup(database, login, token);
  return { status: 200, page: staffSetupPage(site, setup, token) };
}

async function take(
  { database, login }: OauthTools,
  site: PageSite,
  { requestId, clientAddress }: Exchange,
  form: URLSearchParams,
  token: string,
): Promise<PageAnswer> {
  const typed = (name: string) => (form.get(name) ?? '').slice(0, MAX_FIELD);
  const [email, name] = [typed('email'), typed('name')];
  const password = form.get('password') ?? '';
  try {
    if (!isPassword.Check(password)) {
      throw httpError('validation_failed', 'The password must be 10 to 256 characters long.');
    }
    const input = { token, email, name, password, code: typed('code') };
    const done = await completeSetup({ database, requestId, clientAddress }, login, input);
    return { status: 200, page: staffReadyPage(site, done) };
  } catch (error) {
    if (!(error instanceof ApiError) || !MENDABLE.has(error.code)) {
      throw error;
    }
    const setup = await getSetup(database, login, token);
    return { status: 400, page: staffSetupPage(site, setup, token, { alert: error.message, email, name }) };
  }
}

const MENDABLE: ReadonlySet<string> = new Set(['validation_failed', 'already_exists']);
const isPassword = Compile(NewPassword);
const MAX_FIELD = 512;
