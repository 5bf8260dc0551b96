import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sendDocument } from '../documents/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Mount, MountedEndpoint } from '../mount.ts';
import { unknownRoute } from '../translate-error.ts';
import { findDashboard } from './dashboard-files.ts';
import { dashboardHeaders, type PagePolicy } from './page-headers.ts';
import { UNBUILT_PAGE } from './unbuilt-page.ts';

/** What the dashboard needs to know before login. Public. */
export interface DashboardFacts {
  environment: 'production' | 'sandbox';
  version: string;
  brand: { name: string; logoUrl: string; color: string; supportEmail: string };
  /** The URL of each environment; null for a disabled sandbox. */
  productionUrl: string;
  sandboxUrl: string | null;
  /** The origins whose pages may embed the webhook portal in a frame. */
  portalAncestors: readonly string[];
  /** The key for Stripe.js; null if the dashboard has no card form. */
  stripePublishableKey: string | null;
  /** Whether mails are written to files, because no mail server is set. */
  mailsToFolder: boolean;
}

/** The only pages that load third-party code: Stripe.js, for card numbers and bank authentication. */
const CARD_PAGES = ['/payment-methods/card', '/payment-methods/confirm'];

/** The only page that others may frame. It uses no cookie, so clickjacking cannot act on behalf of a user. */
const PORTAL = '/portal';

const HTML = 'text/html; charset=utf-8';

/** First path segments without a screen in the dashboard, so that a typo in an API URL is not answered with a page. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['v1', 'oauth', 'docs', '.well-known', 'assets'],
  ...['healthz', 'readyz', 'metrics', 'avatar.svg', 'dashboard.json'],
]);

/**
 * The dashboard's page at `/` and at every other path that a browser opens and that is not the API's, its files below
 * `/assets/`, and its configuration in the page and at `/dashboard.json`.
 */
export function createDashboardMount(facts: DashboardFacts, load = findDashboard): Mount {
  const page = endpoint('/', (exchange) => sendPage(exchange, facts, load));
  const portal = endpoint(PORTAL, (exchange) =>
    sendPage(exchange, facts, load, { ancestors: facts.portalAncestors, isPortal: true }),
  );
  const cardPage = endpoint('/payment-methods', (exchange) =>
    sendPage(exchange, facts, load, { hasCardForm: facts.stripePublishableKey !== null }),
  );
  const file = endpoint('/assets/{file}', async (exchange) => {
    const document = (await load())?.files.get(pathOf(exchange.request));
    if (document === undefined) {
      throw unknownRoute();
    }
    await sendDocument(exchange, document);
  });
  const known = endpoint('/dashboard.json', async (exchange) => {
    const body = JSON.stringify(describeFacts(facts, exchange.request));
    exchange.send(200, 'application/json; charset=utf-8', body, { 'cache-control': 'no-store' });
  });
  const fixed = new Map([
    ['/', page],
    [PORTAL, portal],
    ['/dashboard.json', known],
    ['/favicon.svg', file],
  ]);
  return (path, request) => {
    const endpoint = fixed.get(path);
    if (endpoint !== undefined || path.startsWith('/assets/')) {
      return endpoint ?? file;
    }
    if (!isVisit(request) || OTHERS.has(path.split('/', 2)[1] ?? '')) {
      return undefined;
    }
    return CARD_PAGES.includes(path) ? cardPage : page;
  };
}

/** Their screens have no frame, even for people who are logged in. */
const ENTRANCES: ReadonlySet<string> = new Set([
  ...['/login', '/register', '/forgot-password', '/reset-password'],
  ...['/verify-email', '/accept-invitation'],
]);

/** The screens of staff who act for a customer. A banner above their bar would move it. */
const ACTING = '/act-for/';

/** Whether a browser opens the URL, as opposed to a program that requests data. */
function isVisit({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');
}

interface PageKind extends Pick<PagePolicy, 'ancestors' | 'hasCardForm'> {
  isPortal: boolean;
}

async function sendPage(
  exchange: Exchange,
  facts: DashboardFacts,
  load: typeof findDashboard,
  { ancestors = [], hasCardForm = false, isPortal = false }: Partial<PageKind> = {},
): Promise<void> {
  const nonce = randomBytes(18).toString('base64url');
  const headers = {
    ...dashboardHeaders({ nonce, logoUrl: facts.brand.logoUrl, ancestors, hasCardForm }),
    // The page states whether there is a session.
    'cache-control': 'no-store',
  };
  const dashboard = await load();
  if (dashboard === undefined) {
    exchange.send(503, HTML, UNBUILT_PAGE, headers);
  } else {
    const known = describeFacts(facts, exchange.request);
    const path = pathOf(exchange.request);
    const hasFrame = known.has_session && !isPortal && !ENTRANCES.has(path) && !path.startsWith(ACTING);
    const page = hasFrame ? dashboard.page : dashboard.pageForStrangers;
    exchange.send(200, HTML, fillIn(page, { ...known, nonce }), headers);
  }
}

function describeFacts(facts: DashboardFacts, { headers: { cookie } }: IncomingMessage) {
  const { environment, version, brand, productionUrl, sandboxUrl, stripePublishableKey } = facts;
  return {
    environment,
    version,
    brand: { name: brand.name, logo_url: brand.logoUrl, color: brand.color, support_email: brand.supportEmail },
    production_url: productionUrl,
    sandbox_url: sandboxUrl,
    stripe_publishable_key: stripePublishableKey,
    mails_to_folder: facts.mailsToFolder,
    // Saves a visitor without a session a request to the API, which would answer 401.
    has_session: /(?:^|;\s*)__Host-seathold=/.test(cookie ?? ''),
  };
}

function fillIn(page: string, { nonce, ...known }: ReturnType<typeof describeFacts> & { nonce: string }): string {
  const values: ReadonlyMap<string, string> = new Map([
    ['NONCE', nonce],
    ['FACTS', JSON.stringify(known)],
    ['ENVIRONMENT', known.environment],
    ['BRAND', known.brand.name],
    ['LOGO', known.brand.logo_url === '' ? '/favicon.svg' : known.brand.logo_url],
  ]);
  return page.replaceAll(/%([A-Z]+)%/g, (mark, name) => escapeMarkup(values.get(name) ?? mark));
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function endpoint(path: string, handle: MountedEndpoint['handle']): MountedEndpoint {
  return {
    path,
    methods: ['GET', 'HEAD'],
    isFile: true,
    handle,
    refuse: (exchange, error) => exchange.sendError(error),
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
