import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check } = interactionPolicy;

/**
 * When the pages are shown. As in the library, except for one check: a public app with a private-use scheme or loopback
 * address, which any program on the user's machine can claim, needs consent each time. Its identity cannot be verified,
 * and it must not get tokens by consent given to another (RFC 8252 section 8.6). The same applies to a device: its user
 * may have been sent someone else's code (RFC 8628 section 5.4).
 */
export function whenToAsk(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base();
  const checks = policy.get('consent')?.checks;
  checks?.remove('native_client_prompt');
  checks?.add(
    new Check('unproven_app', 'the app cannot be identified and has to ask each time', 'consent_required', (ctx) =>
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
