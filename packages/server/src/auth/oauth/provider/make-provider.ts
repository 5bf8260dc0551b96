import Provider from 'oidc-provider';
import type { OauthTools } from '../oauth-tools.ts';
import { answerLibraryFaults } from './library-faults.ts';
import { overrideLibrary } from './overrides.ts';
import { providerSettings } from './settings.ts';

/** The authorization server of one environment: the library with our settings, our storage and our pages. */
export function makeProvider(tools: OauthTools): Provider {
  const provider = new Provider(tools.authUrl, providerSettings(tools));
  // Whatever a client says of itself, our addresses are those of the issuer; see hand-to-provider.ts.
  provider.proxy = true;
  overrideLibrary(provider);
  answerLibraryFaults(provider, tools.log);
  return provider;
}
