import type Provider from 'oidc-provider';
import {
  type ApiError,
  type Exchange,
  httpError,
  type Mount,
  type MountedEndpoint,
  StoredDocument,
  sendDocument,
} from '../http/index.ts';
import { parseEmail } from '../users/index.ts';
import { accountEndpoints } from './account-pages/endpoints.ts';
import { createProviderHandler } from './create-provider-handler.ts';
import { allowApp, denyApp, switchAccount } from './interactions/answer-consent.ts';
import { type FormOutcome, logInByCodeForm, logInByForm } from './interactions/log-in-by-form.ts';
import { type PendingInteraction, requireInteraction } from './interactions/require-interaction.ts';
import { showInteraction } from './interactions/show-interaction.ts';
import { describeAuthorizationServer } from './metadata.ts';
import { sendOauthError } from './oauth-error.ts';
import type { OauthTools } from './oauth-tools.ts';
import { errorPage } from './pages/error-page.ts';
import type { PageSite } from './pages/layout.ts';
import { pageHeaders } from './pages/page-headers.ts';
import { createStyleSheet } from './pages/style.ts';

const HTML = 'text/html; charset=utf-8';
const READ = ['GET', 'HEAD'];

/** Creates the authorization server on first use, and then always returns the same one. */
export type LoadProvider = () => Promise<Provider>;

/** Everything below the issuer's path, and the two addresses of its metadata. */
export function createOauthMount(tools: OauthTools, loadProvider: LoadProvider): Mount {
  const { site } = tools;
  const { basePath } = site;
  const fixed = new Map<string, MountedEndpoint>([
    ...libraryEndpoints(site, loadProvider),
    ...documents(tools.authUrl, site),
    ...accountEndpoints(tools, site, (exchange, error) => sendErrorPage(site, exchange, error)),
  ]);
  const pages = interactionEndpoints(tools, loadProvider);
  return (path) => {
    const endpoint = fixed.get(path);
    if (endpoint !== undefined || !path.startsWith(`${basePath}/`)) {
      return endpoint;
    }
    const [first, uid = '', step = '', ...more] = path.slice(basePath.length + 1).split('/');
    if (uid === '' || more.length > 0) {
      return undefined;
    }
    return first === 'interaction'
      ? pages.get(step)
      : step === ''
        ? fixed.get(`${basePath}/${first}/{uid}`)
        : undefined;
  };
}

function libraryEndpoints(site: PageSite, loadProvider: LoadProvider): Array<[string, MountedEndpoint]> {
  let handler: ReturnType<typeof createProviderHandler> | undefined;
  const handle = async (exchange: Exchange) => {
    handler ??= createProviderHandler(await loadProvider());
    await handler(exchange);
  };
  const refuse = sendOauthError;
  const machine = (path: string): [string, MountedEndpoint] => [
    path,
    {
      path,
      methods: ['POST', 'OPTIONS'],
      handle: (exchange) => answerOptions(exchange) ?? handle(requireForm(exchange)),
      refuse,
    },
  ];
  const { basePath } = site;
  // Each also resumes interactions with our pages, below its own path.
  const page = (path: string, more: Partial<MountedEndpoint> = {}): Array<[string, MountedEndpoint]> => {
    const endpoint: MountedEndpoint = {
      path,
      methods: READ,
      handle,
      refuse: (exchange, error) => sendErrorPage(site, exchange, error),
    };
    return [
      [path, { ...endpoint, ...more }],
      [`${path}/{uid}`, endpoint],
    ];
  };
  return [
    ...page(`${basePath}/authorize`),
    // Counted, so that codes cannot be guessed (RFC 8628 section 5.1).
    ...page(`${basePath}/device`, { methods: [...READ, 'POST'], limit: 'device' }),
    machine(`${basePath}/token`),
    machine(`${basePath}/device_authorization`),
    machine(`${basePath}/revoke`),
    machine(`${basePath}/introspect`),
  ];
}

/** Refused before the library reads it, which would report either as a malformed request. */
function requireForm(exchange: Exchange): Exchange {
  const { method, headers } = exchange.request;
  const { 'content-type': type = '', 'content-length': length } = headers;
  if (method !== 'POST') {
    return exchange;
  }
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type.trim())) {
    throw httpError('unsupported_media_type', 'Send the body as Content-Type: application/x-www-form-urlencoded.', {
      headers: { connection: 'close' },
    });
  }
  if (Number(length ?? 0) > MAX_FORM_BYTES) {
    throw httpError('payload_too_large', `The body must be at most ${MAX_FORM_BYTES} bytes.`, {
      headers: { connection: 'close' },
    });
  }
  return exchange;
}

/** The library's size limit. */
const MAX_FORM_BYTES = 57_344;

/** OPTIONS that is not a preflight is answered here; the library only handles preflights. */
function answerOptions(exchange: Exchange): Promise<void> | undefined {
  const { method, headers } = exchange.request;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] !== undefined) {
    return undefined;
  }
  exchange.send(204, undefined, '', { allow: 'POST, OPTIONS' });
  return Promise.resolve();
}

function documents(authUrl: string, { basePath, brand }: PageSite): Array<[string, MountedEndpoint]> {
  const metadata = StoredDocument.of(
    { contentType: 'application/json; charset=utf-8', maxAgeSeconds: 300 },
    JSON.stringify(describeAuthorizationServer(authUrl)),
  );
  const style = StoredDocument.of(
    { contentType: 'text/css; charset=utf-8', maxAgeSeconds: 300 },
    createStyleSheet(brand.color),
  );
  const endpoint = (path: string, document: StoredDocument): [string, MountedEndpoint] => [
    path,
    {
      path,
      methods: READ,
      isForAnyOrigin: true,
      refuse: sendOauthError,
      handle: (exchange) => sendDocument(exchange, document),
    },
  ];
  const wellKnown = '/.well-known/oauth-authorization-server';
  return [
    endpoint(wellKnown, metadata),
    endpoint(`${wellKnown}${basePath}`, metadata),
    endpoint(`${basePath}/assets/style.css`, style),
  ];
}

/** The steps of an interaction, by the last part of their path; the empty one is the page itself. */
function interactionEndpoints(tools: OauthTools, loadProvider: LoadProvider): Map<string, MountedEndpoint> {
  const { site } = tools;
  const { basePath } = site;
  const refuse = (exchange: Exchange, error: ApiError) => sendErrorPage(site, exchange, error);
  const step = (
    name: string,
    take: (
      pending: PendingInteraction,
      arrived: { exchange: Exchange; form: URLSearchParams },
      provider: Provider,
    ) => Promise<FormOutcome>,
    limits: Pick<MountedEndpoint, 'limit' | 'countedAccount'> = {},
  ): [string, MountedEndpoint] => [
    name,
    {
      path: `${basePath}/interaction/{uid}/${name}`,
      methods: [...READ, 'POST'],
      takesForm: true,
      ...limits,
      refuse,
      async handle(exchange, form) {
        const provider = await loadProvider();
        const pending = await requireInteraction(tools, provider, exchange);
        // Reloading the response to a form by its URL redirects to the form.
        const isForm = exchange.request.method === 'POST';
        sendOutcome(
          site,
          exchange,
          pending,
          isForm ? await take(pending, { exchange, form }, provider) : { location: pending.action },
        );
      },
    },
  ];
  return new Map<string, MountedEndpoint>([
    [
      '',
      {
        path: `${basePath}/interaction/{uid}`,
        methods: READ,
        refuse,
        async handle(exchange) {
          const pending = await requireInteraction(tools, await loadProvider(), exchange);
          const query = new URLSearchParams((exchange.request.url ?? '').split('?')[1]);
          const chosen = query.get('organization_id') ?? undefined;
          sendOutcome(site, exchange, pending, {
            page: await showInteraction(tools, site, pending, chosen),
            status: 200,
          });
        },
      },
    ],
    step('login', (pending, arrived, provider) => logInByForm(tools, provider, site, pending, arrived), {
      limit: 'login',
      countedAccount: (form) => parseEmail((form.get('email') ?? '').slice(0, 640)),
    }),
    step('code', (pending, arrived, provider) => logInByCodeForm(tools, provider, site, pending, arrived), {
      limit: 'login',
    }),
    step('allow', (pending, arrived) => allowApp(tools, pending, arrived)),
    step('deny', (pending) => denyApp(pending)),
    step('switch-account', (pending, _, provider) => switchAccount(tools, provider, pending)),
  ]);
}

function sendOutcome(site: PageSite, exchange: Exchange, pending: PendingInteraction, outcome: FormOutcome): void {
  const { destination } = pending;
  const redirectUri = destination.kind === 'address' ? destination.redirectUri : undefined;
  const headers = pageHeaders({ redirectUri, logoUrl: site.brand.logoUrl });
  if ('location' in outcome) {
    exchange.send(303, HTML, '', { ...headers, location: outcome.location });
  } else {
    exchange.send(outcome.status, HTML, outcome.page, headers);
  }
}

function sendErrorPage(site: PageSite, exchange: Exchange, error: ApiError): void {
  const code = error.code === 'service_unavailable' ? 'temporarily_unavailable' : error.code;
  const page = errorPage(site, {
    code: code === 'internal_error' ? 'server_error' : code,
    description: error.message,
    requestId: exchange.requestId,
  });
  exchange.send(error.status, HTML, page, { ...pageHeaders({ logoUrl: site.brand.logoUrl }), ...error.headers });
}
