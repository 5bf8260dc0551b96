import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isScope } from '../../http/index.ts';

/**
 * Refuses scopes that do not exist, and gives an app that asks for none its own (RFC 6749 section 3.3). That it may have
 * those it asks for is the library's to check, which has dropped the unknown ones by now: they are read from the address, or from a device's form.
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
