import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check } = interactionPolicy;

/**
 * When the pages are shown. As the library has it, except for one check: a public app at an address that anything on the
 * user's machine can claim, a scheme of its own or loopback, is asked for each time. Who asks cannot be told there, and
 * must not get tokens by what was agreed to for another (RFC 8252 section 8.6). So is a device: its user may have been
 * sent the code of someone else's (RFC 8628 section 5.4).
 */
export function whenToAsk(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base();
  const checks = policy.get('consent')?.checks;
  checks?.remove('native_client_prompt');
  checks?.add(
    new Check('unproven_app', 'the app cannot be told from others and asks each time', 'consent_required', (ctx) =>
      asksEachTime(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
  return policy;
}

function asksEachTime({ oidc }: KoaContextWithOIDC): boolean {
  const { client, params, result } = oidc;
  const redirectUri = params?.redirect_uri;
  const isPublic = client?.tokenEndpointAuthMethod === 'none';
  const isAtWebAddress = typeof redirectUri === 'string' && isWebAddress(redirectUri);
  const isUnproven = oidc.deviceCode !== undefined || (isPublic && !isAtWebAddress);
  return isUnproven && result?.consent === undefined;
}

function isWebAddress(redirectUri: string): boolean {
  return redirectUri.startsWith('https:') && URL.parse(redirectUri)?.hostname !== 'localhost';
}
