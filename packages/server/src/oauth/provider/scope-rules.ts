import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isScope } from '../../http/index.ts';

/**
 * Refuses unknown scopes, and gives an app that requests none its own (RFC 6749 section 3.3). The library checks
 * whether the app may have them, but has already dropped unknown ones, so they are read from the URL, or from a
 * device's form.
 */
export function requireKnownScopes(
  ctx: KoaContextWithOIDC,
  _value: string | undefined,
  client: { readonly scope?: string | undefined },
): void {
  const asked = ctx.oidc.body?.scope ?? ctx.query.scope;
  if (typeof asked === 'string' && asked !== '') {
    const unknown = asked.split(' ').find((scope) => !isScope(scope));
    if (unknown !== undefined) {
      throw new errors.InvalidScope('a scope is unknown', unknown);
    }
  } else if (ctx.oidc.params !== undefined) {
    ctx.oidc.params.scope = client.scope;
  }
}
