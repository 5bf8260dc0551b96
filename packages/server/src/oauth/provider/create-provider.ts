import Provider from 'oidc-provider';
import type { OauthTools } from '../oauth-tools.ts';
import { answerLibraryFaults } from './library-faults.ts';
import { DEVICE_POLL_SECONDS } from './lifetimes.ts';
import { overrideLibrary } from './overrides.ts';
import { providerSettings } from './settings.ts';

/** The authorization server of one environment: the library with our settings, our storage and our pages. */
export function createProvider(tools: OauthTools): Provider {
  const provider = new Provider(tools.authUrl, providerSettings(tools));
  // Our URLs are those of the issuer, regardless of the host that a client names; see create-provider-handler.ts.
  provider.proxy = true;
  overrideLibrary(provider);
  provider.on('device_authorization.success', (_ctx, response) =>
    Object.assign(response, { interval: DEVICE_POLL_SECONDS }),
  );
  answerLibraryFaults(tools, provider);
  return provider;
}
