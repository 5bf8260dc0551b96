import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import {
  type DeviceFault,
  deviceDeniedPage,
  deviceExpiredPage,
  devicePage,
  deviceReadyPage,
} from '../pages/device-pages.ts';
import type { PageSite } from '../pages/layout.ts';
import { PREFILLED_CODE } from './prepare-request.ts';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** The grant for devices without a browser (RFC 8628): the codes, and the pages for typing them. */
export function deviceFlow(site: PageSite): DeviceFlow {
  return {
    enabled: true,
    // Only consonants, so that no code spells a word: 20 ^ 8 codes (RFC 8628 section 6.1).
    charset: 'base-20',
    mask: '****-****',
    // Nothing about the device is stored, because no page shows it.
    deviceInfo: () => ({}),
    userCodeInputSource: (ctx, _form, _out, error) => showCodeForm(site, ctx, error),
    // No separate confirmation: the consent page, which always follows, shows the code and the app.
    userCodeConfirmSource(ctx, _form, _client, _deviceInfo, userCode) {
      send(ctx, devicePage(site, { secret: secretOf(ctx), userCode, fault: undefined }));
    },
    successSource: (ctx) => send(ctx, deviceReadyPage(site, ctx.oidc.client?.clientName ?? '')),
  };
}

/** Shows the form, with the error if there is one. */
function showCodeForm(site: PageSite, ctx: KoaContextWithOIDC, error: Error | undefined): void {
  if (error?.name === 'AbortedError') {
    send(ctx, deviceDeniedPage(site));
    return;
  }
  if (error !== undefined && ctx.status < 400) {
    ctx.status = 400;
  }
  const fault = error === undefined ? undefined : FAULTS[error.name];
  if (error !== undefined && fault === undefined) {
    forgetNewSession(ctx);
    send(ctx, deviceExpiredPage(site));
    return;
  }
  const typed: unknown = error === undefined ? ctx.query[PREFILLED_CODE] : Reflect.get(error, 'userCode');
  const userCode = typeof typed === 'string' ? typed.slice(0, LONGEST_TYPED) : undefined;
  send(ctx, devicePage(site, { secret: secretOf(ctx), userCode, fault }));
}

const LONGEST_TYPED = 40;

/** The faults of a code, by the names of the library's errors, whose classes are not exported. */
const FAULTS: Readonly<Record<string, DeviceFault>> = {
  NoCodeError: 'unknown_code',
  NotFoundError: 'unknown_code',
  ExpiredError: 'expired_code',
  AlreadyUsedError: 'used_code',
  InvalidClient: 'unavailable_app',
};

/**
 * The library would store the session that it created for a form without one, and fail because it was never stored
 * before.
 */
function forgetNewSession(ctx: KoaContextWithOIDC): void {
  const { session } = ctx.oidc;
  if (session !== undefined && session.exp === undefined) {
    Reflect.set(session, 'touched', false);
  }
}

function send(ctx: KoaContextWithOIDC, page: string): void {
  ctx.type = 'html';
  ctx.body = page;
}

/** The secret that the form has to send back, so that no other page can submit it. */
function secretOf(ctx: KoaContextWithOIDC): string {
  const state: unknown = ctx.oidc.session === undefined ? undefined : Reflect.get(ctx.oidc.session, 'state');
  const secret: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'secret') : undefined;
  return typeof secret === 'string' ? secret : '';
}
